package io.probelet.monitor.rule;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * Finds the name of a disk where Linux filesystems and the block layer write it: {@code EXT4-fs
 * (sda1): }, {@code BTRFS error (device dm-0 state EA): }, {@code I/O error, dev nvme0n1, sector }.
 */
final class KernelDevice {
  /** The kernel's limit is 32; device mapper names may be longer. */
  static final int MAX_NAME = 128;

  private static final Pattern PLACES =
      Pattern.compile(
          "\\(device ([\\w.!-]+)"
              + "|\\b(?:[A-Z][A-Z0-9]+|[A-Z0-9]+-fs)(?: \\w+)? \\(([\\w.!-]+)\\):"
              + "|\\bdev ([\\w.!-]+),");

  private KernelDevice() {}

  /** Finds the first; empty if there is none. */
  static String in(String text) {
    Matcher found = PLACES.matcher(text);
    if (!found.find()) {
      return "";
    }
    for (int group = 1; group <= found.groupCount(); group++) {
      String name = found.group(group);
      if (name != null && name.length() <= MAX_NAME) {
        return name;
      }
    }
    return "";
  }
}
