import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Leaves out of the jars of a folder what nothing reads when Probelet runs, more than two
 * megabytes: the indexes of classes that fabric8 ships for Quarkus, the sources of Protobuf's
 * messages, and those packages of Guava on which neither CEL's library nor the rest of Guava
 * depends.
 *
 * <pre>java SlimJars.java FOLDER</pre>
 *
 * <p>The same jar gives the same file. A jar that has nothing of it stays as it is.
 */
final class SlimJars {
  /** What is left depends on none of them: {@code jdeps -verbose:package}, ADR 51. */
  private static final List<String> GUAVA_UNUSED =
      List.of(
          "com/google/common/cache/",
          "com/google/common/escape/",
          "com/google/common/eventbus/",
          "com/google/common/graph/",
          "com/google/common/hash/",
          "com/google/common/html/",
          "com/google/common/io/",
          "com/google/common/net/",
          "com/google/common/util/",
          "com/google/common/xml/",
          "com/google/thirdparty/");

  private SlimJars() {}

  public static void main(String[] args) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      for (Path jar : jars) {
        slim(jar);
      }
    }
  }

  private static void slim(Path jar) throws IOException {
    Path slim = jar.resolveSibling(jar.getFileName() + ".slim");
    try (ZipFile from = new ZipFile(jar.toFile())) {
      List<ZipEntry> entries = from.stream().<ZipEntry>map(entry -> entry).toList();
      if (entries.stream().noneMatch(SlimJars::unused)) {
        return;
      }
      try (OutputStream file = Files.newOutputStream(slim);
          ZipOutputStream to = new ZipOutputStream(file)) {
        to.setLevel(Deflater.BEST_COMPRESSION);
        for (ZipEntry entry : entries) {
          if (!unused(entry)) {
            copy(from, entry, to);
          }
        }
      }
    }
    Files.move(slim, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    ZipEntry copy = new ZipEntry(entry.getName());
    // As the jar says it, in whatever time zone this is.
    copy.setTimeLocal(entry.getTimeLocal());
    to.putNextEntry(copy);
    from.getInputStream(entry).transferTo(to);
    to.closeEntry();
  }

  private static boolean unused(ZipEntry entry) {
    String name = entry.getName();
    return name.equals("META-INF/jandex.idx")
        || name.endsWith(".proto")
        || name.endsWith(".class") && GUAVA_UNUSED.stream().anyMatch(name::startsWith);
  }
}
