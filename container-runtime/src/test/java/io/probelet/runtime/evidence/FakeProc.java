package io.probelet.runtime.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder like {@code /proc}. */
record FakeProc(Path root) {
  static final String HEADER =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
          + " inode\n";

  /** A thread of a process; the process itself is its first thread. */
  void thread(long pid, long tid, String name, char state, long utime, long stime)
      throws IOException {
    String stat =
        "%d (%s) %c 1 1 1 0 -1 4194304 103 0 0 0 %d %d 3 4 20 0 1 0 5394128 3133440 416\n"
            .formatted(tid, name, state, utime, stime);
    Path task = Files.createDirectories(root.resolve(Long.toString(pid)).resolve("task/" + tid));
    Files.writeString(task.resolve("stat"), stat);
    if (pid == tid) {
      Files.writeString(root.resolve(Long.toString(pid)).resolve("stat"), stat);
    }
  }

  /** The network that a process sees. */
  void network(String process, String tcp) throws IOException {
    Path net = Files.createDirectories(root.resolve(process).resolve("net"));
    Files.writeString(net.resolve("tcp"), HEADER + tcp);
  }

  /** A process in the network of another one. */
  void sharedNetwork(String process, String with) throws IOException {
    Path net = Files.createDirectories(root.resolve(process).resolve("net"));
    Files.createLink(net.resolve("tcp"), root.resolve(with).resolve("net/tcp"));
  }

  void open(long pid, List<String> files) throws IOException {
    Path folder = Files.createDirectories(root.resolve(Long.toString(pid)).resolve("fd"));
    for (int i = 0; i < files.size(); i++) {
      Files.createSymbolicLink(folder.resolve(Integer.toString(i)), Path.of(files.get(i)));
    }
  }

  static String listener(int port, long inode) {
    return socket("0A", port, inode);
  }

  static String socket(String state, int port, long inode) {
    return "   0: 0100007F:%04X 00000000:0000 %s 00000000:00000000 00:00000000 00000000     0        0 %d 1 0 100\n"
        .formatted(port, state, inode);
  }
}
