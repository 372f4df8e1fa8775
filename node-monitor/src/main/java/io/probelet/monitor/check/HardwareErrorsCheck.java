package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds fatal errors recorded by firmware and hardware (B-23): the error that ended the last boot
 * (ACPI BERT), uncorrected memory errors (EDAC), and fatal errors of PCIe devices (AER). The
 * kernel's counters start at zero with each boot.
 */
final class HardwareErrorsCheck implements NodeCheck {
  /** ACPI reserves some KiB for the record of the last boot. */
  static final int MAX_RECORD = 64 << 10;

  /** Memory controllers, and PCI devices with their virtual functions. */
  static final int MAX_DEVICES = 16_384;

  /** The most devices named in the message. */
  private static final int MAX_NAMED = 4;

  /** The header of a Generic Error Status Block (ACPI 6.5, 18.3.2.7.1): five numbers. */
  private static final int HEADER = 20;

  private static final int RAW_OFFSET_AT = 4;
  private static final int RAW_LENGTH_AT = 8;
  private static final int LENGTH_AT = 12;
  private static final int SEVERITY_AT = 16;
  private static final int FATAL = 1;

  private static final String TOTAL_FATAL = "TOTAL_ERR_FATAL";

  /**
   * The driver of a device passed to a virtual machine: its guest, a tenant, controls the device.
   */
  private static final String HANDED_OUT = "vfio-pci";

  private final Duration within;
  private final Machine machine;

  HardwareErrorsCheck(Duration within, Machine machine) {
    this.within = within;
    this.machine = machine;
  }

  /** The result of one source of records. */
  private record Finding(boolean there, List<String> problems) {
    static final Finding NONE = new Finding(false, List.of());
  }

  /** Reads the count of one device; below zero if it has no counter. */
  private interface Counter {
    long of(Path device) throws IOException;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeFiles(); // the runtime hides the firmware's files from containers
    List<Finding> findings =
        List.of(
            lastBoot(),
            counted(
                machine.sys().resolve("devices/system/edac/mc"),
                "mc[0-9]*",
                "uncorrected memory errors since boot: ",
                controller -> number(controller.resolve("ue_count"))),
            counted(
                machine.sys().resolve("bus/pci/devices"),
                "*",
                "fatal PCIe errors since boot: ",
                HardwareErrorsCheck::fatal));
    if (findings.stream().noneMatch(Finding::there)) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          "hardware errors are not recorded: no BERT, EDAC or AER in " + machine.sys());
    }
    List<String> problems =
        findings.stream().flatMap(finding -> finding.problems().stream()).toList();
    return problems.isEmpty()
        ? NodeCheckResult.OK
        : new NodeCheckResult.Problem(String.join("; ", problems));
  }

  /** The record stays until the next boot. Like a panic record, it counts for a limited time. */
  private Finding lastBoot() throws IOException {
    Path file = machine.sys().resolve("firmware/acpi/tables/data/BERT");
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_RECORD + 1);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return Finding.NONE;
    }
    boolean isFatal = isFatal(bytes, file);
    return new Finding(
        true,
        isFatal && uptime().compareTo(within) < 0
            ? List.of("previous boot ended with a fatal hardware error (BERT)")
            : List.of());
  }

  private Duration uptime() throws IOException {
    Path file = machine.proc().resolve("uptime");
    try {
      return Duration.ofSeconds((long) Double.parseDouble(KernelFile.words(file)[0]));
    } catch (NumberFormatException strange) {
      throw new IOException(file + " has an unexpected format", strange);
    }
  }

  /** Blocks follow each other; the first block without a status ends the list. */
  private static boolean isFatal(byte[] bytes, Path file) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (at + HEADER <= bytes.length && at < MAX_RECORD && all.getInt(at) != 0) {
      if (all.getInt(at + SEVERITY_AT) == FATAL) {
        return true;
      }
      long data = HEADER + Integer.toUnsignedLong(all.getInt(at + LENGTH_AT));
      long rawLength = Integer.toUnsignedLong(all.getInt(at + RAW_LENGTH_AT));
      long raw = Integer.toUnsignedLong(all.getInt(at + RAW_OFFSET_AT)) + rawLength;
      long next = at + Math.max(data, rawLength == 0 ? 0 : raw);
      if (next > bytes.length) {
        throw new IOException(file + " contains a record longer than the file");
      }
      at = (int) next;
    }
    if (bytes.length > MAX_RECORD) {
      throw new IOException(file + " exceeds the limit of " + (MAX_RECORD >> 10) + " KiB");
    }
    return false;
  }

  private static Finding counted(Path folder, String names, String what, Counter counter)
      throws IOException {
    boolean there = false;
    List<String> bad = new ArrayList<>();
    int seen = 0;
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(folder, names)) {
      for (Path device : devices) {
        if (++seen > MAX_DEVICES) {
          throw new IOException(folder + " exceeds the limit of " + MAX_DEVICES + " devices");
        }
        long count = counter.of(device);
        there |= count >= 0;
        if (count > 0) {
          bad.add(String.valueOf(device.getFileName()));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException none) {
      return Finding.NONE;
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    bad.sort(String::compareTo);
    return new Finding(there, bad.isEmpty() ? List.of() : List.of(what + named(bad)));
  }

  private static String named(List<String> all) {
    String first = String.join(", ", all.subList(0, Math.min(MAX_NAMED, all.size())));
    return all.size() <= MAX_NAMED
        ? first
        : String.format(Locale.ROOT, "%s and %d more", first, all.size() - MAX_NAMED);
  }

  private static long number(Path file) throws IOException {
    try {
      return KernelFile.number(file);
    } catch (NoSuchFileException none) {
      return -1;
    }
  }

  /** The file has a name and a count for each error type, and the total at the end. */
  private static long fatal(Path device) throws IOException {
    String[] words;
    try {
      words = KernelFile.words(device.resolve("aer_dev_fatal"));
    } catch (NoSuchFileException none) {
      return -1;
    }
    Path driver = device.resolve("driver");
    if (Files.isSymbolicLink(driver) && Files.readSymbolicLink(driver).endsWith(HANDED_OUT)) {
      return 0;
    }
    for (int at = 0; at + 1 < words.length; at++) {
      if (words[at].equals(TOTAL_FATAL)) {
        try {
          return Long.parseLong(words[at + 1]);
        } catch (NumberFormatException strange) {
          throw new IOException(device + "/aer_dev_fatal has an unexpected format", strange);
        }
      }
    }
    throw new IOException(device + "/aer_dev_fatal has no " + TOTAL_FATAL);
  }
}
