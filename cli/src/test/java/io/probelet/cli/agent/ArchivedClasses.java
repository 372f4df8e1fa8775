package io.probelet.cli.agent;

import static org.awaitility.Awaitility.await;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.FakeApiServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of the tests in jars, and what an agent loads of it in an archive of the JVM, as
 * an image has them. Without it, a good part of what an agent takes in a test is its start. It is
 * made once for a class path, by an agent that probes a pod and ends.
 */
final class ArchivedClasses {
  private static final Path HOME = Path.of("target", "archived-classes").toAbsolutePath();

  private static List<String> options = List.of();

  private ArchivedClasses() {}

  /** The JVM's options, the class path among them. */
  static synchronized List<String> options() throws IOException {
    if (options.isEmpty()) {
      Files.createDirectories(HOME);
      Path lock = HOME.resolve("lock");
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) { // two JVMs share the tests
        options = made();
      }
    }
    return options;
  }

  private static List<String> made() throws IOException {
    List<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Files::exists)
            .map(entry -> Files.isDirectory(entry) ? jar(entry) : entry)
            .toList();
    String classPath =
        jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    Path archive = HOME.resolve(hash(jars.stream()) + ".jsa");
    if (!Files.exists(archive)) {
      removeOthers(jars);
      Path begun = archive.resolveSibling("begun.jsa");
      rehearse(List.of("-XX:ArchiveClassesAtExit=" + begun, "-cp", classPath));
      Files.move(begun, archive, StandardCopyOption.ATOMIC_MOVE);
    }
    return List.of("-XX:SharedArchiveFile=" + archive, "-cp", classPath);
  }

  /** What was made before the sources changed; they are 60 MiB each time. */
  private static void removeOthers(List<Path> jars) throws IOException {
    try (Stream<Path> made = Files.list(HOME)) {
      for (Path each : made.filter(Files::isRegularFile).toList()) {
        if (!each.endsWith("lock") && !jars.contains(each)) {
          Files.delete(each);
        }
      }
    }
  }

  private static void rehearse(List<String> options) throws IOException {
    Path home = Files.createTempDirectory(HOME, "rehearsal");
    try (FakeApiServer api = new FakeApiServer();
        TargetServer target = new TargetServer()) {
      target.answer("/");
      api.put(
          ApiPods.pod(
              "a",
              "\"probelet.io/probes\": \"web: {liveness: {period: 100ms, httpGet: {port: %d}}}\""
                  .formatted(target.port()),
              ""));
      try (AgentUnderTest agent =
          AgentUnderTest.start(
              options,
              Map.of("XDG_STATE_HOME", home.toString()),
              "agent",
              "--kubeconfig=" + Files.writeString(home.resolve("kubeconfig"), api.kubeconfig()),
              "--node-name=here",
              "--runtime-endpoint=none",
              "--monitor=none",
              "--listen=127.0.0.1:0")) {
        await()
            .ignoreExceptions()
            .until(() -> agent.container().path("probes").path(0).path("consecutive").asInt() > 0);
        agent.get("/metrics");
        agent.signal("TERM");
        if (agent.exitCode() != 0) {
          throw new IllegalStateException("the agent has not ended well: " + agent.lines());
        }
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
  }

  /** The JVM archives no classes of directories. */
  private static Path jar(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
      Path jar = HOME.resolve(hash(files.stream()) + ".jar");
      if (Files.exists(jar)) {
        return jar;
      }
      Path begun = jar.resolveSibling("begun.jar");
      try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(begun))) {
        out.setLevel(Deflater.NO_COMPRESSION);
        for (Path file : files) {
          out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
          Files.copy(file, out);
        }
      }
      return Files.move(begun, jar, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Of names, sizes and times, by which the JVM knows jars, too. */
  private static String hash(Stream<Path> files) {
    return Integer.toHexString(
        files.map(ArchivedClasses::identity).collect(Collectors.joining("\n")).hashCode());
  }

  private static String identity(Path file) {
    try {
      return file
          + " "
          + Files.size(file)
          + " "
          + Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
