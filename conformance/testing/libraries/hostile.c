/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the sandbox: a hostile backend. Its configuration chooses the attack, and its version lists the attacks
 * that succeeded. Tests load it as a library, and behind deconv-server as a command. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/interface/deconv_backend.h"

static char version[128] = "1"; /* "1" and the names of the attacks that succeeded */
static char attack[1024];       /* "ATTACK" or "ATTACK=TARGET", the text after '?' in the backend's name */
static const char* target = ""; /* what the attack is aimed at: a folder or the number of a process */

/* Adds the name of an attack to the version if it succeeded. */
static void note(const char* name, int succeeded) {
  const size_t used = strlen(version);
  if (succeeded) snprintf(version + used, sizeof version - used, " %s", name);
}

/* Tries to reach the network. A connection that is refused has reached it too. */
static void network(void) {
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9)};
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int stream = socket(AF_INET, SOCK_STREAM, 0);
  note("tcp", stream >= 0 && (connect(stream, (struct sockaddr*)&there, sizeof there) == 0 || errno == ECONNREFUSED));
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  note("udp", datagrams >= 0 && sendto(datagrams, "x", 1, 0, (struct sockaddr*)&there, sizeof there) == 1);
  note("unix", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  note("netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
}

/* Tries to change files outside of the sandbox. `target` is a folder of the test, which must stay as it is. */
static void writes(void) {
  char path[600];
  snprintf(path, sizeof path, "%s/written", target);
  note("create", open(path, O_WRONLY | O_CREAT, 0600) >= 0);
  snprintf(path, sizeof path, "%s/file", target);
  note("append", open(path, O_WRONLY | O_APPEND) >= 0);
  note("truncate", truncate(path, 0) == 0);
  note("opened_empty", open(path, O_RDONLY | O_TRUNC) >= 0);
  note("chmod", chmod(path, 0777) == 0);
  note("remove", unlink(path) == 0);
  note("folder", mkdir("made-by-a-hostile-backend", 0700) == 0);
  note("shared_memory", open("/dev/shm/hostile", O_WRONLY | O_CREAT, 0600) >= 0);
  const char* scratch = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/mine", scratch == NULL ? "/nowhere" : scratch);
  note("scratch", open(path, O_WRONLY | O_CREAT, 0600) >= 0);
}

/* Tries to read secrets. `target` is the home folder. */
static void secrets(void) {
  char path[600];
  note("variable", getenv("HOSTILE_TEST_TOKEN") != NULL);
  snprintf(path, sizeof path, "%s/secret", target);
  note("home", open(path, O_RDONLY) >= 0);
  note("shadow", open("/etc/shadow", O_RDONLY) >= 0);
}

/* Tries to reach the runner. `target` is the number of the runner's process. */
static void runner(void) {
  const pid_t process = atoi(target);
  char path[64];
  const char* files[] = {"mem", "environ", "cmdline", "fd/0"};
  for (int i = 0; i < 4; ++i) {
    snprintf(path, sizeof path, "/proc/%d/%s", process, files[i]);
    note(files[i], open(path, O_RDONLY) >= 0);
  }
  const int attached = ptrace(PTRACE_ATTACH, process, NULL, NULL) == 0;
  note("ptrace", attached);
  if (attached) { /* a process that stays attached would stop, and so would the test */
    waitpid(process, NULL, __WALL);
    ptrace(PTRACE_DETACH, process, NULL, NULL);
  }
  char byte;
  struct iovec mine = {&byte, 1}, theirs = {version, 1};
  note("vm", process_vm_readv(process, &mine, 1, &theirs, 1, 0) == 1);
  note("kill", kill(process, 0) == 0);
}

/* Tries to write 16 files of 64 MiB, together 1 GiB. */
static void fill_disk(void) {
  char path[600];
  const char* scratch = getenv("TMPDIR");
  static char block[1 << 20];
  signal(SIGXFSZ, SIG_IGN);
  size_t written = 0;
  for (int i = 0; i < 16; ++i) {
    snprintf(path, sizeof path, "%s/part%d", scratch == NULL ? "/nowhere" : scratch, i);
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    for (int j = 0; j < 64 && file >= 0 && write(file, block, sizeof block) == sizeof block; ++j)
      written += sizeof block;
  }
  note("gibibyte", written == (size_t)1 << 30);
}

/* Starts processes that wait, until the machine or a limit stops it. */
static void fork_without_end(void) {
  for (;;) {
    if (fork() == 0) {
      for (;;) pause();
    }
  }
}

/* Takes memory in steps of 16 MiB until there is none. */
static void fill_memory(int flags) {
  for (;;) {
    const size_t bytes = (size_t)16 << 20;
    char* more = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) return;
    memset(more, 1, bytes);
  }
}

static const deconv_backend_description* describe(void* self) {
  static const char* const dialects[] = {"openvino-spec", NULL};
  static deconv_backend_description description;
  (void)self;
  description.size = sizeof description;
  description.name = "hostile";
  description.version = version;
  description.dialects = dialects;
  description.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA;
  description.element_types = 1U << DECONV_ID_F32;
  description.min_rank = 3;
  description.max_rank = 5;
  return &description;
}

static deconv_answer run(void* self, deconv_run_request* request) {
  (void)self;
  (void)request;
  if (strcmp(attack, "forks") == 0) fork_without_end();
  if (strcmp(attack, "memory") == 0) fill_memory(MAP_PRIVATE);
  if (strcmp(attack, "shared_memory") == 0) fill_memory(MAP_SHARED);
  /* Descriptor 4 is the memory that the worker shares with the runner, descriptor 3 the socket to the runner. */
  if (strcmp(attack, "arena") == 0) note("arena", ftruncate(4, 0) == 0 || fcntl(4, F_ADD_SEALS, F_SEAL_WRITE) == 0);
  if (strcmp(attack, "forged") == 0) {
    static char answer[1024]; /* no answer has this size or this number */
    if (write(3, answer, sizeof answer) < 0) return DECONV_ANSWER_ERROR;
  }
  if (strcmp(attack, "words") == 0) return (deconv_answer)123456;
  return DECONV_ANSWER_REFUSED;
}

static void close_backend(void* self) { (void)self; }

int deconv_backend_open(const char* config, deconv_backend* backend) {
  snprintf(attack, sizeof attack, "%s", config);
  char* equals = strchr(attack, '=');
  if (equals != NULL) {
    *equals = '\0';
    target = equals + 1;
  }
  if (strcmp(attack, "network") == 0) network();
  if (strcmp(attack, "writes") == 0) writes();
  if (strcmp(attack, "secrets") == 0) secrets();
  if (strcmp(attack, "runner") == 0) runner();
  if (strcmp(attack, "disk") == 0) fill_disk();
  backend->abi = DECONV_BACKEND_ABI;
  backend->describe = describe;
  backend->run = run;
  backend->close = close_backend;
  return 0;
}
