package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** Answers of system calls for which the kernel has no file. */
public interface Kernel {
  /**
   * Reads the usage of a filesystem. May never return.
   *
   * @throws IOException if the kernel refuses; the message is for the user
   */
  Room room(Path mount) throws IOException;

  /**
   * Reads the type of the filesystem that contains a folder.
   *
   * @return its type as in mount(8), such as {@code ext4}
   * @throws IOException if it does not exist or the kernel refuses; the message is for the user
   */
  String filesystem(Path folder) throws IOException;

  /**
   * Opens a file or folder for reading, and closes it. May never return.
   *
   * @return false on an input/output error, as of a filesystem that has shut down
   * @throws IOException if the kernel refuses for another reason; the message is for the user
   */
  boolean opens(Path file) throws IOException;

  /** {@return the CPUs of the machine that this program may use} */
  Cpus cpus();

  /**
   * Reads the synchronization state of the clock.
   *
   * @throws IOException if the kernel refuses; the message is for the user
   */
  ClockState clock() throws IOException;

  /**
   * Reads how long the machine has been awake since boot. The kernel stamps its messages with this
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
     * Starts a thread bound to one CPU. While an earlier thread of that CPU has not run, no second
     * one is started: the earlier thread then answers the latest call only.
     *
     * @param ran called on that CPU
     * @param refused called with the reason if the kernel does not allow a thread there
     * @throws IOException if no thread can be started; the message is for the user
     */
    void ask(int number, Runnable ran, Consumer<IOException> refused) throws IOException;
  }

  /**
   * The usage of a filesystem.
   *
   * @param freeBlocks those not in use
   * @param availableBlocks free blocks that are not reserved for root
   * @param inodes all inodes; 0 where they are not limited
   * @param freeInodes those not in use
   */
  record Room(
      long blockBytes,
      long blocks,
      long freeBlocks,
      long availableBlocks,
      long inodes,
      long freeInodes) {
    /** {@return the used bytes} */
    public long usedBytes() {
      return (blocks - freeBlocks) * blockBytes;
    }

    /** {@return the percentage of used space; as in df, of the space available to all users} */
    public double usedSpace() {
      long used = blocks - freeBlocks;
      return percent(used, used + availableBlocks);
    }

    /** {@return the percentage of used inodes} */
    public double usedInodes() {
      return percent(inodes - freeInodes, inodes);
    }

    private static double percent(long used, long all) {
      return all == 0 ? 0 : 100.0 * used / all;
    }
  }

  /**
   * The synchronization state of the clock.
   *
   * @param synchronised whether a daemon has synchronized it recently
   * @param offset its absolute offset as far as the kernel knows
   */
  record ClockState(boolean synchronised, Duration offset) {}
}
