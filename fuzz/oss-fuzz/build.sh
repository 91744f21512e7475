#!/usr/bin/env bash
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzz targets for OSS-Fuzz, ClusterFuzzLite and other systems with the same contract. All settings come from the
# environment.
#   SRC/deconv-cts        this tree; DECONV_SOURCE names another one
#   WORK, OUT             folders for the build and for the finished targets
#   CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE   used as given, except that the standard library is the system's, because
#                         the linked packages are compiled with it
#   CMAKE_PREFIX_PATH     the place of Highway, if it is not installed in the system
#   DECONV_FUZZ_TARGETS   the targets to build (default: all)
# Leaves for each target in OUT: the program, NAME_seed_corpus.zip, NAME.options and, where it helps, NAME.dict.
set -euo pipefail
: "${WORK:?}" "${OUT:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
source=${DECONV_SOURCE:-${SRC:?}/deconv-cts}
here=$source/fuzz/oss-fuzz
cases=(kernel_vs_oracle kernel_geometry kernel_targets kernel_interface kernel_sequences any_backend)
texts=(case_line model_xml model_onnx test_data symbol_expression source_line process_messages worker_messages expectations report)
read -r -a targets <<<"${DECONV_FUZZ_TARGETS:-${cases[*]} ${texts[*]}}"
export CXXFLAGS=${CXXFLAGS:-}
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}

# CMAKE_BUILD_TYPE=None: only the flags of the environment are used, because a build type would add its own.
cmake -S "$source" -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DDECONV_TESTS=OFF -DDECONV_FUZZERS=ON \
  "-DDECONV_FUZZING_ENGINE=$LIB_FUZZING_ENGINE" \
  "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath,\$ORIGIN/lib" -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON
cmake --build "$WORK/build" --target "${targets[@]/%/_fuzzer}"

for target in "${targets[@]}"; do
  cp "$WORK/build/bin/${target}_fuzzer" "$OUT/"
  # The linked libraries are copied beside the program, because the machine that runs it does not have their packages.
  mkdir -p "$OUT/lib"
  ldd "$OUT/${target}_fuzzer" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-[^/]*)\.so' |
    xargs -r cp -L -n -t "$OUT/lib"
  rm -f "$OUT/${target}_fuzzer_seed_corpus.zip"
  (cd "$WORK/build/fuzz_seeds/$target" && zip -q -r "$OUT/${target}_fuzzer_seed_corpus.zip" .)
  options=$here/text.options
  [[ " ${cases[*]} " == *" $target "* ]] && options=$here/case.options
  cp "$options" "$OUT/${target}_fuzzer.options"
  if [[ -e $here/$target.dict ]]; then
    cp "$here/$target.dict" "$OUT/${target}_fuzzer.dict"
    echo "dict = ${target}_fuzzer.dict" >>"$OUT/${target}_fuzzer.options"
  fi
done
