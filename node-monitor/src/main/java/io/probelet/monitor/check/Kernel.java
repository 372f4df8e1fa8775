package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** What the kernel answers to system calls and shows in no file. */
public interface Kernel {
  /**
   * Asks how full a filesystem is. May never return.
   *
   * @param mount where it is mounted
   * @return how full it is
   * @throws IOException if the kernel refuses; the message is for the user
   */
  Room room(Path mount) throws IOException;

  /**
   * Asks what kind of filesystem a folder is in.
   *
   * @param folder which is there
   * @return its kind as mount(8) has it, such as {@code ext4}
   * @throws IOException if it is not there or the kernel refuses; the message is for the user
   */
  String filesystem(Path folder) throws IOException;

  /**
   * Asks how the clock is kept in time.
   *
   * @return how
   * @throws IOException if the kernel refuses; the message is for the user
   */
  ClockState clock() throws IOException;

  /**
   * How full a filesystem is.
   *
   * @param blocks of a size that does not matter here
   * @param freeBlocks those not in use
   * @param availableBlocks those not in use that are not kept for root
   * @param inodes numbers for files; 0 where they are not limited
   * @param freeInodes those not in use
   */
  record Room(long blocks, long freeBlocks, long availableBlocks, long inodes, long freeInodes) {
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
