package io.probelet.runtime.process;

import io.probelet.health.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the kernel executes a file, by its first bytes (H-9). A shell, and execvp(3),
 * interpret a file as a script if the kernel refuses it with ENOEXEC; a container runtime does not.
 */
final class ExecFormat {
  private static final Path FORMATS = Path.of("/proc/sys/fs/binfmt_misc");
  private static final Path OURSELVES = Path.of("/proc/self/exe");

  /** The number of bytes that the kernel reads. */
  private static final int HEAD = 256;

  /** A relative interpreter depends on the directory in which the script is started. */
  private static final Pattern INTERPRETER = Pattern.compile("#![ \\t]*(/[^\\s\\x00]*)\\s");

  private static final int MAX_ENTRY = 4096;
  private static final int ENTRIES = 100;
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final int ELF_MACHINE = 18;
  private static final int UNREAD = -1;

  /** What a CPU of the kind on the right executes besides its own format: 386, ARM. */
  private static final Map<Integer, Integer> COMPATIBLE = Map.of(3, 62, 40, 183);

  private static final ExecFormat KERNEL = new ExecFormat(FORMATS);

  private final Path formats;

  /** The kind of this machine, read once. */
  private volatile int ours = UNREAD;

  /** Creates the formats of a kernel. */
  ExecFormat(Path formats) {
    this.formats = formats;
  }

  /** {@return the formats of this machine's kernel} */
  static ExecFormat ofKernel() {
    return KERNEL;
  }

  /** {@return whether the kernel certainly refuses the file; false if it cannot be read} */
  boolean refuses(Path file) {
    try {
      byte[] head = head(file, HEAD);
      if (head.length > 1 && head[0] == '#' && head[1] == '!') {
        return false;
      }
      if (startsWith(head, 0, ELF, null) && runsHere(head)) {
        return false;
      }
      return !registered(file, head);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** {@return the interpreter in a script's first line, if it does not exist} */
  static Optional<String> missingInterpreter(Path file) {
    try {
      Matcher first =
          INTERPRETER.matcher(new String(head(file, HEAD), StandardCharsets.ISO_8859_1));
      return first.lookingAt() && Files.notExists(Path.of(first.group(1)))
          ? Optional.of(OneLine.of(first.group(1), HEAD))
          : Optional.empty();
    } catch (IOException | InvalidPathException unreadable) {
      return Optional.empty();
    }
  }

  private boolean runsHere(byte[] head) throws IOException {
    if (head.length < ELF_MACHINE + 2) {
      return false;
    }
    if (ours == UNREAD) {
      ours = machine(head(OURSELVES, HEAD));
    }
    int other = machine(head);
    return ours == other || COMPATIBLE.getOrDefault(other, -1) == ours;
  }

  /** Big-endian or little-endian: one of the two bytes is zero for all of interest. */
  private static int machine(byte[] head) {
    return (head[ELF_MACHINE] & 0xff) | (head[ELF_MACHINE + 1] & 0xff);
  }

  private boolean registered(Path file, byte[] head) throws IOException {
    if (!Files.isDirectory(formats)) {
      return false;
    }
    int left = ENTRIES;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(formats)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (name.equals("register") || name.equals("status")) {
          continue;
        }
        if (left-- == 0 || matches(entry, file, head)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean matches(Path entry, Path file, byte[] head) throws IOException {
    String text = new String(head(entry, MAX_ENTRY), StandardCharsets.ISO_8859_1);
    if (!text.startsWith("enabled\n")) {
      return false;
    }
    Map<String, String> fields = new HashMap<>();
    text.lines()
        .forEach(line -> {
          int blank = line.indexOf(' ');
          if (blank > 0) {
            fields.put(line.substring(0, blank), line.substring(blank + 1));
          }
        });
    String extension = fields.get("extension");
    if (extension != null) {
      return file.getFileName().toString().endsWith(extension);
    }
    try {
      HexFormat hex = HexFormat.of();
      String mask = fields.get("mask");
      return startsWith(
          head,
          Integer.parseInt(fields.getOrDefault("offset", "0")),
          hex.parseHex(fields.getOrDefault("magic", "")),
          mask == null ? null : hex.parseHex(mask));
    } catch (IllegalArgumentException unknown) {
      return true; // unknown format of a newer kernel; the kernel decides
    }
  }

  private static boolean startsWith(byte[] head, int offset, byte[] magic, byte @Nullable [] mask) {
    if (offset < 0 || head.length - offset < magic.length) {
      return false;
    }
    byte[] found = Arrays.copyOfRange(head, offset, offset + magic.length);
    for (int i = 0; mask != null && i < Math.min(mask.length, found.length); i++) {
      found[i] &= mask[i];
    }
    return Arrays.equals(found, magic);
  }

  private static byte[] head(Path file, int most) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(most);
    }
  }
}
