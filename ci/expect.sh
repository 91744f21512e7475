# shellcheck shell=bash
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Gives scripts that are tests the functions complain, expect and finish. A script first makes the paths of its arguments
# absolute. Then it sources this file, which enters a scratch folder and removes it at the end. Programs that the script
# starts do not see the variables of CI systems.
test_name=${0##*/} failed=0 count=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
unset GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_TOTAL_SHARDS CI_NODE_INDEX CI_NODE_TOTAL
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT JOB_COMPLETION_INDEX
command_words=()   # the first words of each command of `expect`
matching=-F        # how `grep` reads the texts of `expect`
rounds=1           # how often `expect` may run a command

# complain TEXT: fails the test, which goes on.
complain() {
  echo "$test_name: $1" >&2
  [[ -e out ]] && tail -n 40 out >&2
  failed=1
}

# expect CODE TEXT COMMAND...: runs the command. It must end with the exit code CODE, and its output must contain TEXT.
# The file `out` holds the output.
expect() {
  local code round expected=$1 text=$2
  shift 2
  count=$((count + 1))
  for ((round = 0; round < rounds; ++round)); do
    code=0
    "${command_words[@]}" "$@" >out 2>&1 </dev/null || code=$?
    [[ $code == "$expected" ]] && { [[ -z $text ]] || grep -q $matching -- "$text" out; } && return
  done
  complain "$*: exit code $code, expected $expected; expected in the output: $text"
}

# finish: ends the test. It fails if complain() was called.
finish() {
  ((failed)) && exit 1
  echo "$test_name: $count checks hold"
}
