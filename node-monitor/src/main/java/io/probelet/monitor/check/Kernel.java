package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** What the kernel answers to system calls and shows in no file. */
public interface Kernel {
  /**
   * Asks how full a filesystem is. May never return.
   *
   * @throws IOException if the kernel refuses; the message is for the user
   */
  Room room(Path mount) throws IOException;

  /**
   * Asks what kind of filesystem a folder is in.
   *
   * @return its kind as mount(8) has it, such as {@code ext4}
   * @throws IOException if it is not there or the kernel refuses; the message is for the user
   */
  String filesystem(Path folder) throws IOException;

  /**
   * Opens a file or folder for reading, and closes it. May never return.
   *
   * @return false if the kernel answers with an input/output error, as a filesystem that has shut
   *     itself down does
   * @throws IOException if the kernel refuses otherwise; the message is for the user
   */
  boolean opens(Path file) throws IOException;

  /** {@return the CPUs of the machine, as far as this program may use them} */
  Cpus cpus();

  /**
   * Asks how the clock is kept in time.
   *
   * @throws IOException if the kernel refuses; the message is for the user
   */
  ClockState clock() throws IOException;

  /**
   * Asks how long the machine has run since its boot. The kernel stamps its messages by such a
   * clock: unlike {@code /proc/uptime}, it stands still while the machine is suspended.
   *
   * @throws IOException if the kernel refuses; the message is for the user
   */
  Duration awake() throws IOException;

  /** The CPUs that this program may use. */
  interface Cpus {
    /**
     * {@return their numbers}
     *
     * @throws IOException if the kernel refuses; the message is for the user
     */
    Set<Integer> usable() throws IOException;

    /**
     * Starts a thread that may run on one CPU only. While an earlier one of that CPU has not run,
     * there is no second: that one answers to the latest call, and to no earlier.
     *
     * @param ran is called on that CPU
     * @param refused is called if the kernel does not let a thread run there, with the reason
     * @throws IOException if there is no thread to be had; the message is for the user
     */
    void ask(int number, Runnable ran, Consumer<IOException> refused) throws IOException;
  }

  /**
   * How full a filesystem is.
   *
   * @param freeBlocks those not in use
   * @param availableBlocks those not in use that are not kept for root
   * @param inodes numbers for files; 0 where they are not limited
   * @param freeInodes those not in use
   */
  record Room(
      long blockBytes,
      long blocks,
      long freeBlocks,
      long availableBlocks,
      long inodes,
      long freeInodes) {
    /** {@return how many bytes are in use} */
    public long usedBytes() {
      return (blocks - freeBlocks) * blockBytes;
    }

    /** {@return how many percent of the space are in use: as df has it, of what all may use} */
    public double usedSpace() {
      long used = blocks - freeBlocks;
      return percent(used, used + availableBlocks);
    }

    /** {@return how many percent of the inodes are in use} */
    public double usedInodes() {
      return percent(inodes - freeInodes, inodes);
    }

    private static double percent(long used, long all) {
      return all == 0 ? 0 : 100.0 * used / all;
    }
  }

  /**
   * How the clock is kept in time.
   *
   * @param synchronised whether somebody has set it lately
   * @param offset how far it is off as far as the kernel knows, either way
   */
  record ClockState(boolean synchronised, Duration offset) {}
}
