#!/bin/sh
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The gate as a job array of Slurm. To change: the lines of #SBATCH; --array has one number, from 0, for each of SHARDS.
#   export BACKEND=./libvendor.so SHARDS=8
#   job=$(sbatch --parsable slurm.sh)                               each task writes deconv-cts-reports/NUMBER.jsonl
#   sbatch --dependency=afterany:$job --wrap 'deconv-cts merge deconv-cts-reports/*.jsonl --json report.jsonl'
# The merge has the verdict. It names each task that was killed. Run that task alone, then merge again:
#   sbatch --array=3 slurm.sh
# The environment says
#   BACKEND, SHARDS   what --backend takes; the number of tasks that share the cases     (must be set)
#   LEVEL             smoke, gate or full                                                (default: full)
#   EXPECT            a file of known failures                                           (default: none)
#   MEMORY            GiB for each task; set it if tasks share a node      (default: half of the node's memory)
#   DECONV_CTS        the program                                                        (default: deconv-cts in PATH)
#SBATCH --job-name=deconv-cts
#SBATCH --array=0-7
#SBATCH --cpus-per-task=1
#SBATCH --output=deconv-cts-%A-%a.log
set -u
if [ -z "${BACKEND:-}" ] || [ -z "${SHARDS:-}" ]; then
  echo "slurm.sh: BACKEND or SHARDS is not set, expected for example BACKEND=./libvendor.so SHARDS=8" >&2
  exit 2
fi
mkdir -p deconv-cts-reports || exit 2
if [ -n "${EXPECT:-}" ]; then set -- "$@" --expect "$EXPECT"; fi
if [ -n "${MEMORY:-}" ]; then set -- "$@" --memory "$MEMORY"; fi
# A task that runs alone is an array of one task, so the number of shards is not Slurm's.
exec "${DECONV_CTS:-deconv-cts}" run --backend "$BACKEND" --level "${LEVEL:-full}" "$@" \
  --shard "$SLURM_ARRAY_TASK_ID/$SHARDS" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --json "deconv-cts-reports/$SLURM_ARRAY_TASK_ID.jsonl"
