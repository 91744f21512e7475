// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sentences of OpenVINO's page ConvolutionBackpropData-1 in Japanese. This page specifies a transposed
// convolution; it translates the version that came after the one of 2020 (cbd.cc). The table shows that no rule of the
// page is forgotten: each sentence that states one names the clauses that take it up. oracle/sentences.md counts the
// test cases of each sentence. CBDT is the abbreviation of the page, and 1 is the version of the operator.

#include <array>
#include <span>

#include "oracle/sentences/sentence.h"

namespace oracle {
namespace {

using enum RuleKind;

// Columns: id, line in a copy of the page, kind of rule, clauses, topic, and the words of the page. sentence.h explains
// the kinds: kRequired, kChosen, kOpen and kInformative. The clauses are the numbered rules of oracle/clauses.md that
// state the sentence. The topic is the part of the operator that the sentence is about.
constexpr auto kCbdTranslatedSentences = std::to_array<Sentence>({
    {"CBDT-1", 3, kInformative, "", "", "ConvolutionBackpropData-1"},
    {"CBDT-2", 5, kInformative, "", "", "カテゴリー: 畳み込み"},
    {"CBDT-3", 7, kChosen, "S1 V1", "", "1D、2D、または 3D ConvolutionBackpropData 操作を計算します"},
    {"CBDT-4", 7, kInformative, "", "", "これは、転置畳み込みとも呼ばれます"},
    {"CBDT-5", 11, kRequired, "V1 P18", "",
     "入力テンソル、重み付けテンソル、出力形状を取得し、指定された形状の出力テンソルを計算します"},
    {"CBDT-6", 11, kRequired, "S9 T6 P2 P3", "",
     "入力 1D 整数テンソルとして明示的に指定することも、他の属性によって暗黙的に決定することもできます"},
    {"CBDT-7", 11, kRequired, "P18", "", "出力の形状は指定されたサイズに一致し"},
    {"CBDT-8", 11, kRequired, "P4 P5", "", "必要なパディング量が計算されます"},
    {"CBDT-9", 11, kRequired, "V1", "", "詳しい説明は、転置畳み込みを参照してください"},
    {"CBDT-10", 13, kRequired, "V1 P1", "output_padding",
     "通常の Convolution 操作と同じ属性セットを受け入れ、さらに output_padding 属性も受け入れます"},
    {"CBDT-11", 13, kRequired, "V1 P2", "", "ConvolutionBackpropData の出力には適用されますが、入力には適用されません"},
    {"CBDT-12", 13, kInformative, "", "",
     "それぞれの畳み込み属性の詳細な説明については、通常の畳み込み操作を参照してください"},
    {"CBDT-13", 15, kRequired, "S10 P18", "",
     "出力形状が入力テンソル output_shape として指定される場合、空間次元のみが指定されます"},
    {"CBDT-14", 15, kRequired, "S10 P18", "", "バッチまたはチャネルの次元を空間次元と一緒に渡す必要はありません"},
    {"CBDT-15", 15, kRequired, "P2 P3", "output_shape absent", "output_shape が省略された場合は"},
    {"CBDT-16", 17, kChosen, "A12 P3", "", "if auto_pads != None:"},
    {"CBDT-17", 18, kRequired, "P3", "", "pads_begin[i] = 0"},
    {"CBDT-18", 19, kRequired, "P3", "", "pads_end[i] = 0"},
    {"CBDT-19", 21, kRequired, "P1 P2 P17", "",
     "Y_i = stride[i] * (X_i - 1) + ((K_i - 1) * dilations[i] + 1) - pads_begin[i]"},
    {"CBDT-20", 23, kRequired, "S4 P1", "", "K_i は空間軸 i に沿ったフィルターカーネルの次元です"},
    {"CBDT-21", 25, kRequired, "P4", "", "output_shape が指定されている場合、pads_beginpads_end は無視され"},
    {"CBDT-22", 25, kRequired, "P4 P5", "", "auto_pad はテンソルの周囲にパディング量を分散する方法を定義します"},
    {"CBDT-23", 25, kRequired, "P4 P5", "", "次の式に基づいてパディング量が決定されます"},
    {"CBDT-24", 27, kRequired, "P1", "",
     "total_padding[i] = stride[i] * (X_i - 1) + ((K_i - 1) * dilations[i] + 1) - output_shape[i]"},
    {"CBDT-25", 28, kRequired, "P4", "", "if auto_pads != SAME_UPPER:"},
    {"CBDT-26", 29, kRequired, "P4 P6", "", "pads_begin[i] = total_padding[i] // 2"},
    {"CBDT-27", 30, kRequired, "P17", "", "pads_end[i] = total_padding[i] - pads_begin[i]"},
    {"CBDT-28", 31, kRequired, "P5", "", "else:"},
    {"CBDT-29", 32, kRequired, "P5 P6", "", "pads_end[i] = total_padding[i] // 2"},
    {"CBDT-30", 33, kRequired, "P5", "", "pads_begin[i] = total_padding[i] - pads_end[i]"},
    {"CBDT-31", 39, kRequired, "V1 P1", "strides", "strides は通常の畳み込みの strides と同じ定義を持ちます"},
    {"CBDT-32", 41, kRequired, "A2", "strides", "値の範囲: 正の整数"},
    {"CBDT-33", 43, kRequired, "A1", "strides", "タイプ: int[]"},
    {"CBDT-34", 45, kOpen, "A6", "strides absent", "必須: はい"},
    {"CBDT-35", 49, kRequired, "V1 P2", "pads_begin", "pads_begin は通常の畳み込みの pads_begin と同じ定義を持ちます"},
    {"CBDT-36", 49, kChosen, "P3 P4 A7", "pads_begin absent",
     "省略することもできますが、その場合パッドは自動的に計算されます"},
    {"CBDT-37", 51, kRequired, "A4", "pads_begin", "値の範囲: 負ではない整数"},
    {"CBDT-38", 53, kRequired, "A1", "pads_begin", "タイプ: int[]"},
    {"CBDT-39", 55, kOpen, "A7", "pads_begin absent", "必須: はい"},
    {"CBDT-40", 57, kChosen, "P3 P4 A15", "pads_begin", "auto_pad 属性が指定されている場合、この属性は無視されます"},
    {"CBDT-41", 61, kRequired, "V1 P2", "pads_end", "pads_end は通常の畳み込みの pads_end と同じ定義を持ちます"},
    {"CBDT-42", 61, kChosen, "P3 P4 A7", "pads_end absent",
     "省略することもできますが、その場合パッドは自動的に計算されます"},
    {"CBDT-43", 63, kRequired, "A4", "pads_end", "値の範囲: 負ではない整数"},
    {"CBDT-44", 65, kRequired, "A1", "pads_end", "タイプ: int[]"},
    {"CBDT-45", 67, kOpen, "A7", "pads_end absent", "必須: はい"},
    {"CBDT-46", 69, kChosen, "P3 P4 A15", "pads_end", "auto_pad 属性が指定されている場合、この属性は無視されます"},
    {"CBDT-47", 73, kRequired, "V1 P1", "dilations", "dilations は通常の畳み込みの dilations と同じ定義を持ちます"},
    {"CBDT-48", 75, kRequired, "A3", "dilations", "値の範囲: 正の整数"},
    {"CBDT-49", 77, kRequired, "A1", "dilations", "タイプ: int[]"},
    {"CBDT-50", 79, kOpen, "A6", "dilations absent", "必須: はい"},
    {"CBDT-51", 83, kChosen, "P3 P4 P5", "auto_pad", "auto_padは通常の畳み込みの auto_pad と同じ定義を持ちます"},
    {"CBDT-52", 85, kChosen, "A9 P2 P4", "auto_pad=explicit",
     "explicit: pads_beginpads_end からの明示的なパディング値を使用します"},
    {"CBDT-53", 87, kChosen, "A9 P3 P5", "auto_pad=same_upper",
     "same_upper - 入力は出力サイズに一致するようにパディングされます"},
    {"CBDT-54", 87, kChosen, "P5", "auto_pad=same_upper", "奇数のパディング値の場合、最後にパディングが追加されます"},
    {"CBDT-55", 89, kChosen, "A9 P3 P4", "auto_pad=same_lower",
     "same_lower - 入力は出力サイズに一致するようにパディングされます"},
    {"CBDT-56", 89, kChosen, "P4", "auto_pad=same_lower", "パディング値が奇数の場合、先頭にパディングが追加されます"},
    {"CBDT-57", 91, kChosen, "A9 P3 P4", "auto_pad=valid", "valid - パディングを使用しません"},
    {"CBDT-58", 93, kRequired, "A9", "auto_pad", "タイプ: string"},
    {"CBDT-59", 95, kChosen, "A12", "auto_pad absent", "デフォルト値: なし"},
    {"CBDT-60", 97, kRequired, "A12", "auto_pad absent", "必須: いいえ"},
    {"CBDT-61", 99, kChosen, "P3 P4", "auto_pad",
     "auto_pad が指定されている場合、pads_beginpads_end 属性は無視されます"},
    {"CBDT-62", 103, kRequired, "P1 P2 P3", "output_padding", "output テンソルの各空間軸ごとにパディングを追加します"},
    {"CBDT-63", 103, kRequired, "P2 P3", "output_padding",
     "出力内のより多くの要素のロックが解除され、計算できるようになります"},
    {"CBDT-64", 103, kRequired, "P2 P3", "output_padding", "要素は、空間次元のより高い座標インデックスに追加されます"},
    {"CBDT-65", 103, kRequired, "A1", "output_padding",
     "output_padding リストの要素の数は、data および output テンソルの空間次元の数と一致します"},
    {"CBDT-66", 105, kRequired, "A5", "output_padding", "値の範囲: 負ではない整数値"},
    {"CBDT-67", 107, kRequired, "A1", "output_padding", "タイプ: int[]"},
    {"CBDT-68", 109, kRequired, "A8", "output_padding absent", "デフォルト値: すべてゼロ"},
    {"CBDT-69", 111, kRequired, "A8", "output_padding absent", "必須: いいえ"},
    {"CBDT-70", 115, kRequired, "T1 T2", "", "タイプ T1"},
    {"CBDT-71", 115, kChosen, "S1", "", "ランク 3、4 または 5 の入力テンソル"},
    {"CBDT-72", 115, kRequired, "S4", "", "レイアウトは、[N, C_INPUT, Z, Y, X]"},
    {"CBDT-73", 115, kRequired, "D5", "", "必須"},
    {"CBDT-74", 117, kRequired, "T1 T3", "", "タイプ T1"},
    {"CBDT-75", 117, kChosen, "S1 S2", "", "ランク 3、4、または 5 の畳み込みカーネルテンソル"},
    {"CBDT-76", 117, kRequired, "S4 S5", "", "レイアウトは、[C_INPUT, C_OUTPUT, Z, Y, X]"},
    {"CBDT-77", 117, kRequired, "S4 P1", "",
     "カーネルの空間サイズはこの入力の形状で決定され、属性によって指定されるものではありません"},
    {"CBDT-78", 117, kRequired, "D5", "", "必須"},
    {"CBDT-79", 119, kRequired, "T6 S9 S10 P18", "",
     "output_shape は、出力の空間形状を指定する T2 タイプの 1D テンソルです"},
    {"CBDT-80", 119, kRequired, "P4 P5", "", "説明の式に従って入力空間形状と出力空間形状の関係から推定されます"},
    {"CBDT-81", 119, kRequired, "P2 P3", "output_shape absent",
     "出力形状は、pads_beginpads_end、または auto_pad に従って計算されます"},
    {"CBDT-82", 119, kRequired, "P2 P3", "output_shape absent", "オプション"},
    {"CBDT-83", 121, kRequired, "S4", "", "畳み込みのタイプ (1D、2D、または 3D) は入力テンソルのランクで決定され"},
    {"CBDT-84", 123, kRequired, "S4", "1 axis",
     "1D 畳み込み (入力テンソルのランク 3) は、空間軸 X が 1 つだけであることを意味します"},
    {"CBDT-85", 125, kRequired, "S4", "2 axes",
     "2D 畳み込み (入力テンソルのランク 4) は、2 つの空間軸 Y、X があることを意味します"},
    {"CBDT-86", 127, kRequired, "S4", "3 axes",
     "3D 畳み込み (入力テンソルのランク 5) は、3 つの空間軸 Z、Y、X があることを意味します"},
    {"CBDT-87", 131, kRequired, "T1", "", "タイプ T1"},
    {"CBDT-88", 131, kChosen, "S1", "", "ランク 3、4、または 5 の出力テンソル"},
    {"CBDT-89", 131, kRequired, "S4", "", "レイアウトは、[N, C_OUTPUT, Z, Y, X]"},
    {"CBDT-90", 135, kRequired, "T1 T2 T7", "", "T1: 任意の数値タイプ"},
    {"CBDT-91", 137, kRequired, "T6", "", "T2: 任意の整数タイプ"},
    {"CBDT-92", 144, kRequired, "A9 P2", "auto_pad=explicit",
     "strides=\"2,2\" output_padding=\"0,0\" auto_pad=\"explicit\""},
    {"CBDT-93", 163, kRequired, "P2", "", "<dim>447</dim>"},
    {"CBDT-94", 172, kRequired, "P2", "output_padding", "strides=\"3,3\" output_padding=\"2,2\" auto_pad=\"explicit\""},
    {"CBDT-95", 191, kRequired, "P2", "", "<dim>8</dim>"},
    {"CBDT-96", 200, kChosen, "P4 P6", "auto_pad=valid", "strides=\"1,1\" output_padding=\"0,0\" auto_pad=\"valid\""},
    {"CBDT-97", 215, kRequired, "S10 P18", "", "output_shape value is: [450, 450]"},
    {"CBDT-98", 223, kRequired, "P18", "", "<dim>450</dim>"},
});

}  // namespace

std::span<const Sentence> SentencesCbdTranslated() { return kCbdTranslatedSentences; }

}  // namespace oracle
