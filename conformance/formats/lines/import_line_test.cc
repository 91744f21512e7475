// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which cases are made of lines of other tools (calls of Python, problems and logs of oneDNN), and the error
// messages for lines that no case can express.

#include "conformance/formats/lines/import_line.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/formats/export_case.h"

namespace conformance::formats {
namespace {

using testing::HasSubstr;

/// Imports a line. Returns the case line followed by its notes, or the error.
std::string Imported(std::string_view line, std::vector<ShapeHint> shapes = {}) {
  ImportOptions options;
  options.shapes = std::move(shapes);
  const Import read = ImportLine(line, options);
  if (const auto* error = std::get_if<ReadError>(&read)) return error->message;
  const ImportedLayer& layer = std::get<ImportedModel>(read).layers.at(0);
  std::string text = ToLine(layer.test_case);
  for (const std::string& note : layer.notes) text += " | " + note;
  return text;
}

TEST(ImportLine, ReadsAModuleOfPyTorch) {
  EXPECT_EQ(Imported("torch: ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1)", {{"", {1, 4, 8, 8}}}),
            "ConvTranspose:data=1,4,8,8:filter=4,3,3,3:strides=2,2:dilations=1,1:pads_begin=1,1:pads_end=1,1:"
            "output_padding=1,1 | its bias is left out");
  EXPECT_EQ(
      Imported("self.up = nn.ConvTranspose1d(in_channels=4, out_channels=6, kernel_size=(3,), groups=2, bias=False, "
               "dtype=torch.float16)  # up",
               {{"", {4, 8}}}),
      "ConvTranspose:data=1,4,8:filter=4,3,3:type=f16:strides=1:dilations=1:pads_begin=0:pads_end=0:"
      "output_padding=0:groups=2 | its data have no batch, which a case must have");
}

TEST(ImportLine, ReadsAFunctionOfPyTorch) {
  EXPECT_EQ(Imported("y = F.conv_transpose3d(torch.randn(1, 2, 2, 3, 3), w, None, (1, 2, 3), groups=2)",
                     {{"w", {2, 2, 2, 2, 2}}}),
            "ConvTranspose:data=1,2,2,3,3:filter=2,2,2,2,2:strides=1,2,3:dilations=1,1,1:pads_begin=0,0,0:"
            "pads_end=0,0,0:output_padding=0,0,0:groups=2");
  EXPECT_THAT(Imported("F.conv_transpose2d(x, w, b)", {{"", {1, 2, 4, 4}}}), HasSubstr("give --shape w=DIMS"));
}

TEST(ImportLine, ReadsALayerOfKeras) {
  // The values of TensorFlow 2.21 for these layers: 10 x 12, 30 x 36 and 59 x 71 outputs.
  EXPECT_EQ(Imported("Conv2DTranspose(4, 3, strides=2, padding='same', activation='relu')", {{"", {1, 5, 6, 3}}}),
            "ConvTranspose:data=1,3,5,6:filter=3,4,3,3:strides=2,2:dilations=1,1:pads_begin=0,0:pads_end=1,1:"
            "output_padding=0,0 | its channels are last; the case has them before the spatial axes | its bias is left "
            "out | its activation relu is left out");
  EXPECT_THAT(Imported("keras.layers.Conv2DTranspose(2, 2, strides=(3, 3))", {{"", {1, 10, 12, 4}}}),
              HasSubstr("data=1,4,10,12:filter=4,2,2,2:strides=3,3:dilations=1,1:pads_begin=0,0:pads_end=0,0:"
                        "output_padding=1,1"));
  EXPECT_EQ(Imported("tf.layers.conv2d_transpose(conv, 16, [3, 3], strides=(2,2))", {{"", {2, 36, 35, 24}}}),
            Imported("keras.layers.Conv2DTranspose(16, [3, 3], strides=(2,2))", {{"", {2, 36, 35, 24}}}));
  EXPECT_THAT(Imported("Conv2DTranspose(2, 4, strides=2, padding=\"same\", output_padding=1, use_bias=False)",
                       {{"", {1, 30, 36, 2}}}),
              HasSubstr("pads_begin=1,1:pads_end=2,2:output_padding=0,0"));
}

TEST(ImportLine, ReadsAFunctionOfTensorFlow) {
  EXPECT_THAT(
      Imported("tf.nn.conv2d_transpose(tf.ones([1, 5, 6, 3]), tf.ones((3, 3, 2, 3)), [1, 10, 12, 2], strides=[1, 2, "
               "2, 1], padding=[[0, 0], [1, 1], [1, 1], [0, 0]])"),
      HasSubstr("ConvTranspose:data=1,3,5,6:filter=3,2,3,3:strides=2,2:dilations=1,1:pads_begin=1,1:pads_end=0,0"));
  EXPECT_THAT(Imported("tf.nn.conv2d_transpose(x, w, [1, 20, 12, 2], 2)", {{"x", {1, 5, 6, 3}}, {"w", {3, 3, 2, 3}}}),
              HasSubstr("TensorFlow refuses an output of 20 for data of 5: padding SAME gives 10 from it"));
  EXPECT_THAT(Imported("tf.nn.conv2d_transpose(x, w, [1, 10, 12, 2], 2, [[0, 0], [1, 4], [1, 1], [0, 0]])",
                       {{"x", {1, 5, 6, 3}}, {"w", {3, 3, 2, 3}}}),
              HasSubstr("TensorFlow refuses an output of 10 for data of 5: padding of the call gives 7 from it"));
}

TEST(ImportLine, ReadsAnEmptyOutputOfTensorFlow) {
  // Without pads, data of 1 and a kernel of 4 give 4 outputs; pads of 2 and 2 leave none.
  EXPECT_THAT(Imported("Conv2DTranspose(3, 4, strides=2, padding='same', output_padding=0)", {{"", {1, 1, 1, 3}}}),
              HasSubstr("pads_begin=2,2:pads_end=2,2:output_padding=0,0"));
  EXPECT_THAT(Imported("tf.nn.conv2d_transpose(x, w, [1, 0, 0, 2], 2, [[0, 0], [1, 0], [0, 0], [0, 0]])",
                       {{"x", {1, 1, 1, 3}}, {"w", {4, 4, 2, 3}}}),
              HasSubstr("TensorFlow refuses an output of 0 for data of 1"));
}

TEST(ImportLine, ReadsASizeThatTensorFlowLeavesOpen) {
  EXPECT_THAT(Imported("tf.nn.conv1d_transpose(x, w, [1, 3, 2], 3, 'VALID')", {{"x", {1, 1, 3}}, {"w", {4, 2, 3}}}),
              HasSubstr("data=1,3,1:filter=3,2,4:strides=3:dilations=1:pads_begin=0:pads_end=1"));
  EXPECT_THAT(Imported("tf.nn.conv1d_transpose(x, w, [1, 1, 2], 3, 'VALID')", {{"x", {1, 1, 3}}, {"w", {4, 2, 3}}}),
              HasSubstr("TensorFlow refuses an output of 1"));
}

TEST(ImportLine, UnknownSizesAndArgumentsAreNotGuessed) {
  // permute changes the sizes of the tensor that randn makes.
  EXPECT_THAT(Imported("F.conv_transpose2d(torch.randn(1, 8, 8, 4).permute(0, 3, 1, 2), w)", {{"w", {4, 3, 3, 3}}}),
              HasSubstr("give --shape"));
  EXPECT_THAT(Imported("Conv2DTranspose(4, 3, dtype='float16')", {{"", {1, 5, 6, 3}}}), HasSubstr(":type=f16:"));
  EXPECT_THAT(Imported("Conv2DTranspose(4, 3, dtype='int8')", {{"", {1, 5, 6, 3}}}),
              HasSubstr("argument dtype: found 'int8', expected float16"));
  EXPECT_THAT(Imported("Conv2DTranspose(4, 3, data_format=fmt)", {{"", {1, 5, 6, 3}}}),
              HasSubstr("argument data_format: found 'fmt', expected channels_last"));
}

TEST(ImportLine, AProblemOfBenchdnnComesBack) {
  const auto parsed = ParseCaseLine(
      "ConvTranspose:data=1,20,9,8:filter=20,5,3,2:strides=2,3:pads_begin=1,0:pads_end=0,1:output_padding=1,0:"
      "dilations=1,2:groups=2");
  const Export exported = ExportBenchdnn("case", std::get<Case>(parsed));
  const std::string batch = std::get<std::vector<ExportedFile>>(exported).at(0).content;
  const std::string line = batch.substr(batch.find('\n') + 1);
  EXPECT_EQ(Imported(line),
            "ConvTranspose:data=1,20,9,8:filter=20,5,3,2:strides=2,3:dilations=1,2:pads_begin=1,0:pads_end=0,1:"
            "output_padding=1,0:groups=2")
      << line;
}

TEST(ImportLine, ReadsALineOfOnednnVerbose) {
  EXPECT_EQ(
      Imported(
          "onednn_verbose,v1,primitive,exec,cpu,deconvolution,jit:avx512_core,forward_inference,"
          "src:f32::blocked:acdb::f0 wei:f32::blocked:Acdb16a::f0 bia:f32::blocked:a::f0 dst:f32::blocked:acdb::f0,"
          "attr-post-ops:relu ,alg:deconvolution_direct,mb1_ic3oc4_ih5oh11kh3sh2dh0ph0_iw6ow13kw3sw2dw0pw0,0.0128"),
      "ConvTranspose:data=1,3,5,6:filter=3,4,3,3:strides=2,2:dilations=1,1:pads_begin=0,0:pads_end=0,0:"
      "output_padding=0,0 | its bias is left out | its attribute attr-post-ops:relu is left out");
  EXPECT_EQ(
      Imported("dnnl_verbose,exec,cpu,deconvolution,jit:avx512_core_bf16,forward_training,src_bf16::blocked:abcd:f0 "
               "wei_bf16::blocked:abcd:f0 bia_undef::undef::f0 dst_bf16::blocked:abcd:f0,attr-scratchpad:user ,"
               "alg:deconvolution_direct,mb2_ic2oc2_iw5ow5kw3sw1dw0pw1,0.01"),
      "ConvTranspose:data=2,2,5:filter=2,2,3:type=bf16:strides=1:dilations=1:pads_begin=1:pads_end=1:"
      "output_padding=0");
  EXPECT_THAT(Imported("onednn: g1mb1_ic3oc4_ih5oh10kh3ph0"), HasSubstr("data=1,3,5,5:filter=3,4,3,3:strides=1,1"));
}

TEST(ImportLine, RefusedLinesHaveAMessage) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"Conv2d(4, 3, 3)", "expected a call of ConvTranspose1d"},
      {"ConvTranspose2d(4, 3, 3)", "give --shape N,4,H,W"},
      {"ConvTranspose2d(4, 3)", "argument kernel_size is missing"},
      {"ConvTranspose2d(4, 3, k, stride=2)", "argument kernel_size: found 'k', expected an integer or 2 of them"},
      {"ConvTranspose2d(4, 3, 3, strid=2)", "ConvTranspose2d has no argument strid"},
      {"ConvTranspose2d(4, 3, 3, 1, stride=2)", "argument stride is given twice"},
      {"ConvTranspose2d(4, 3, 3", "the call does not end"},
      {"ConvTranspose2d(4, 3, 4294967296)", "expected an integer or 2 of them"},
      {"onednn_verbose,exec,cpu,convolution,jit,mb1_ic3oc4_ih5oh3kh3",
       "expected a line of the primitive deconvolution"},
      {"--deconv --dt=u8:s8:u8 ic3oc4_ih5oh3kh3", "types u8:s8:u8 are mixed"},
      {"--deconv --dt=s8 ic3oc4_ih5oh3kh3", "type s8: expected f64, f32, f16 or bf16"},
      {"--deconv --dir=BWD_D ic3oc4_ih5oh3kh3", "expected FWD_D"},
      {"--conv mb1_ic4oc3_ih8oh8kh3ph1", "is a problem of --conv, a convolution; expected --deconv"},
      {"--deconv ic3oc4_ih5oh3", "the size of the kernel is missing: kh"},
      {"", "expected a call of"},
  };
  for (const auto& [line, message] : lines) EXPECT_THAT(Imported(line), HasSubstr(message)) << line;
  EXPECT_THAT(Imported("ConvTranspose2d(4, 3, 3)", {{"", {1, 5, 8, 8}}}),
              HasSubstr("data have 5 channels, the filter has 4"));
}

}  // namespace
}  // namespace conformance::formats
