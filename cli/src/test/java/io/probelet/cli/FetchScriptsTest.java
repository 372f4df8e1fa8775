package io.probelet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./probelet} and {@code ./verify} fetch where a machine has no JDK or no Maven. */
class FetchScriptsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path directory;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private byte[] archive = {};
  private HttpServer server;
  private FakeCheckout checkout;

  @BeforeEach
  void setUp() throws IOException {
    checkout = new FakeCheckout(directory);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, archive.length);
          exchange.getResponseBody().write(archive);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void tearDown() {
    server.stop(0);
  }

  @Test
  @DisplayName("fetches a JDK with PROBELET_FETCH_JDK=1, and finds it the next time")
  void jdk() throws Exception {
    offersJdk();
    checkout.set("PROBELET_FETCH_JDK", "1");

    Ended first = checkout.run("probelet", "status");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).contains("No JDK 999 or newer found", "fetching " + address());
    assertThat(first.out()).contains("fetched-java arg=status");
    assertThat(checkout.cache()).isDirectoryContaining("glob:**/temurin-25*");

    checkout.set("PROBELET_FETCH_JDK", "0");
    assertThat(checkout.run("probelet", "status").out()).contains("fetched-java arg=status");
    assertThat(requests).hasSize(1).first().asString().contains("OpenJDK25U");
  }

  @Test
  @DisplayName("does not fetch a JDK on its own, and names the variable that allows it")
  void unasked() throws Exception {
    offersJdk();
    for (String script : List.of("probelet", "verify")) {
      Ended ended = checkout.run(script);
      assertThat(ended.exitCode()).isEqualTo(2);
      assertThat(ended.err())
          .contains("No JDK 999 or newer found", "PROBELET_FETCH_JDK=1", checkout.cache() + "");
    }
    assertThat(requests).isEmpty();
    assertThat(checkout.cache()).doesNotExist();
  }

  @Test
  @DisplayName("asks on a terminal, and fetches a JDK only after yes")
  void terminal() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script(1) is not installed");
    offersJdk();
    checkout.set("SHELL", "/bin/sh");

    Ended no = checkout.atTerminal("n", "probelet");
    assertThat(no.out()).contains("Fetch Temurin 25", address(), "[y/N]", "PROBELET_FETCH_JDK=1");
    assertThat(no.exitCode()).isEqualTo(2);
    assertThat(requests).isEmpty();

    Ended yes = checkout.atTerminal("y", "probelet");
    assertThat(yes.out()).contains("[y/N]", "fetching " + address(), "fetched-java");
    assertThat(yes.exitCode()).isZero();
    assertThat(requests).hasSize(1);
  }

  @Test
  @DisplayName("refuses an archive with a wrong checksum, and removes it")
  void mismatch() throws Exception {
    offersJdk();
    checkout.offers(address(), "0".repeat(64));
    checkout.set("PROBELET_FETCH_JDK", "1");

    Ended ended = checkout.run("verify");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err())
        .contains(sha256(archive) + " instead of " + "0".repeat(64) + "; it is not used");
    assertThat(checkout.cache()).isEmptyDirectory();
    assertThat(checkout.mavenRuns()).isEmpty();
  }

  @Test
  @DisplayName("removes a truncated or invalid archive")
  void broken() throws Exception {
    offersJdk();
    archive = "this is no archive".getBytes(UTF_8);
    checkout.offers(address(), sha256(archive));
    checkout.set("PROBELET_FETCH_JDK", "1");
    assertThat(checkout.run("probelet").exitCode()).isEqualTo(2);
    assertThat(checkout.cache()).isEmptyDirectory();

    server.stop(0);
    assertThat(checkout.run("probelet").exitCode()).isEqualTo(2);
    assertThat(checkout.cache()).isEmptyDirectory();
  }

  @Test
  @DisplayName("fetches Maven from Central's path where none is installed, once")
  void maven() throws Exception {
    pack("apache-maven", "bin/mvn", "echo \"$@\" >>mvn.runs");
    checkout.offers(address(), sha256(archive));
    checkout.withoutMaven();

    assertThat(checkout.run("verify", "-o").exitCode()).isZero();
    assertThat(checkout.run("verify").exitCode()).isZero();
    assertThat(checkout.mavenRuns())
        .allMatch(each -> each.startsWith("-B -Dstyle.color=never "))
        .extracting(each -> each.endsWith(" -o"))
        .containsExactly(true, false);
    assertThat(requests)
        .hasSize(1)
        .first()
        .asString()
        .matches("/maven2/org/apache/maven/apache-maven/([\\d.]+)/apache-maven-\\1-bin.tar.gz");
  }

  @Test
  @DisplayName("fetches Maven from the mirror of Central that MVNW_REPOURL names")
  void mirror() throws Exception {
    pack("apache-maven", "bin/mvn", "exit 0");
    checkout.offers("http://127.0.0.1:1", sha256(archive));
    checkout.withoutMaven();
    checkout.set("MVNW_REPOURL", address() + "/central/");

    assertThat(checkout.run("verify").exitCode()).isZero();
    assertThat(requests).singleElement().asString().startsWith("/central/org/apache/maven/");
  }

  @Test
  @DisplayName("names how to install Maven if it cannot be fetched")
  void noMaven() throws Exception {
    checkout.withoutMaven();
    Ended ended = checkout.run("probelet");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("Maven is missing", "apt-get install maven");
  }

  @Test
  @DisplayName("every archive has an https URL and a checksum")
  void properties() throws Exception {
    List<String> jdk = Files.readAllLines(ROOT.resolve("scripts/jdk.properties"));
    List<String> platforms =
        jdk.stream()
            .filter(line -> line.startsWith("url."))
            .map(line -> line.substring("url.".length(), line.indexOf('=')))
            .toList();
    assertThat(platforms).contains("Linux-x86_64", "Linux-aarch64");
    for (String platform : platforms) {
      assertThat(jdk)
          .anyMatch(line -> line.matches("url\\." + platform + "=https://.*\\.tar\\.gz"))
          .anyMatch(line -> line.matches("sha256\\." + platform + "=[0-9a-f]{64}"));
    }
    assertThat(Files.readString(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")))
        .containsPattern("distributionUrl=https://repo.maven.apache.org/maven2/.*-bin\\.tar\\.gz\n")
        .containsPattern("distributionSha256Sum=[0-9a-f]{64}\n");
  }

  /** An archive of a JDK as no machine has it. */
  private void offersJdk() throws Exception {
    checkout.demandFutureJdk();
    pack("jdk", "bin/javac", "exit 1");
    checkout.offers(address(), sha256(archive));
  }

  private void pack(String name, String program, String script) throws Exception {
    Path top = directory.resolve(name + "-9.9");
    for (String each : List.of(program, "bin/java")) {
      Path file = top.resolve(each);
      Files.createDirectories(file.getParent());
      String body =
          each.equals("bin/java") ? "shift $(($# - 1)); echo fetched-java arg=$1" : script;
      Files.writeString(file, "#!/bin/sh\n" + body + "\n");
      assumeTrue(file.toFile().setExecutable(true));
    }
    Files.writeString(top.resolve("release"), "JAVA_VERSION=\"999.0.1\"\n");
    Path packed = directory.resolve(name + ".tar.gz");
    Process tar =
        new ProcessBuilder("tar", "-czf", packed.toString(), top.getFileName().toString())
            .directory(directory.toFile())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    try (Stream<Path> files = Files.walk(top).sorted(Comparator.reverseOrder())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    archive = Files.readAllBytes(packed);
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
