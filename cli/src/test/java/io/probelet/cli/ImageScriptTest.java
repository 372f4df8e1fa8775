package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * scripts/image and scripts/image-root in a checkout whose JDK, Maven and readelf are scripts; the
 * image itself is tested in a container runtime.
 */
class ImageScriptTest {
  private static final boolean ON_AMD64 = System.getProperty("os.arch").equals("amd64");
  private static final String HERE = ON_AMD64 ? "amd64" : "arm64";
  private static final String OTHER = ON_AMD64 ? "arm64" : "amd64";
  private static final String OTHER_MACHINE = ON_AMD64 ? "aarch64" : "x86_64";
  private static final String OTHER_NETTY = ON_AMD64 ? "aarch_64" : "x86_64";
  private static final String OTHER_ELF = ON_AMD64 ? "b700" : "3e00";
  private static final String HERE_ELF = ON_AMD64 ? "3e00" : "b700";

  @TempDir Path directory;
  private ScriptedCheckout checkout;
  private Path target;
  private Path system;

  @BeforeEach
  void setUp() throws Exception {
    checkout = new ScriptedCheckout(directory);
    checkout.copy("scripts/image", "scripts/image-root", "LICENSE");
    checkout.copy("cli/src/main/dist/jvm.options");
    target = checkout.home().resolve("cli/target");
    system = directory.resolve("system");
    checkout.write("../system/usr/lib/jvm/java-25/jmods/java.base.jmod", "");
    checkout.script("scripts/find-jdk", "echo '" + directory + "/jdk'");
    checkout.script(
        "scripts/maven",
        """
        cd "$(dirname "$0")/.."
        echo "$*" >>'%s/maven.runs'
        arch=$(echo "$*" | sed 's/.*-Dimage.architecture=\\([a-z0-9]*\\).*/\\1/')
        mkdir -p cli/target/tar/blobs/sha256
        cd cli/target/tar
        blob() { sum=$(printf '%%s' "$1" | sha256sum); sum=${sum%%%% *}; printf '%%s' "$1" >blobs/sha256/$sum; }
        blob 'jars of both'
        blob "manifest of $arch"
        echo '{"imageLayoutVersion":"1.0.0"}' >oci-layout
        printf '{"manifests":[{"digest":"sha256:%%s","size":1,"annotations":{"org.opencontainers.image.ref.name":"probelet:1"}}]}' \
          $sum >index.json
        tar -cf ../probelet-image.tar *
        printf sha256:%%s $sum >../jib-image.digest
        rm -rf ../tar
        """
            .formatted(directory));
  }

  @Test
  @DisplayName("makes the image of this machine's architecture where none is named")
  void here() throws Exception {
    Ended ended = image("--twice");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).matches("(sha256:[0-9a-f]{64}\n)\\1");
    assertThat(builds()).hasSize(2).allMatch(run -> run.contains("image.architecture=" + HERE));
    assertThat(builds()).noneMatch(run -> run.contains("image.system"));
  }

  @Test
  @DisplayName("says nothing of the build where nobody watches, and all of it if that fails")
  void quiet() throws Exception {
    checkout.script(
        "scripts/maven",
        "cd \"$(dirname \"$0\")/..\"; echo one step; "
            + "echo sha256:1 >cli/target/jib-image.digest");
    Files.createDirectories(target);
    assertThat(image().err()).isEmpty();

    checkout.script("scripts/maven", "echo one step; echo what failed >&2; exit 1");
    Ended failed = image();
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err()).contains("one step", "what failed");
  }

  @Test
  @DisplayName("for the other architecture takes the system and the modules that are named")
  void other() throws Exception {
    Ended without = image("--arch", OTHER);
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.err()).contains("this machine is " + HERE, "--system");

    Ended noModules = image("--arch", OTHER, "--system", directory.toString());
    assertThat(noModules.err()).contains("there is no java.base.jmod in " + directory);

    Ended ended = image("--arch", OTHER, "--system", system.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(builds().getLast())
        .contains(
            "-Dimage.architecture=" + OTHER,
            "-Dimage.system=" + system,
            "-Dimage.jmods=" + system.resolve("usr/lib/jvm/java-25/jmods"));
  }

  @Test
  @DisplayName("puts both architectures into one archive, whose index says which is which")
  void all() throws Exception {
    Ended ended = image("--all", "--system", system.toString(), "--twice");
    assertThat(ended.exitCode()).as(ended.err()).isZero();

    Path layout = Files.createDirectory(directory.resolve("layout"));
    Path file = target.resolve("probelet-image.tar");
    checkout.run(directory, List.of("tar", "-xf", file.toString(), "-C", layout.toString()));
    JsonNode top = json(layout.resolve("index.json")).at("/manifests/0");
    assertThat(ended.out().lines()).containsOnly(top.path("digest").asText());
    assertThat(top.at("/annotations/io.containerd.image.name").asText())
        .isEqualTo("docker.io/library/probelet:1");
    JsonNode index = json(blob(layout, top));
    assertThat(index.findValuesAsText("architecture")).containsExactly("amd64", "arm64");
    for (JsonNode manifest : index.path("manifests")) {
      assertThat(blob(layout, manifest))
          .hasContent("manifest of " + manifest.at("/platform/architecture").asText())
          .hasSize(manifest.path("size").asLong());
    }
    try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
      assertThat(blobs).as("what they share is there once").hasSize(4);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--fast, there is no option --fast",
    "--arch, --arch wants a value",
    "--all, name a root directory of the other architecture with --system"
  })
  @DisplayName("refuses what it cannot make")
  void refused(String argument, String message) throws Exception {
    Ended ended = image(argument);
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains(message);
    assertThat(target).doesNotExist();
  }

  @Test
  @DisplayName("of the other architecture holds its libraries, and no archive of classes")
  void root() throws Exception {
    otherMachine(OTHER_ELF);
    Ended ended = imageRoot();
    assertThat(ended.exitCode()).as(ended.err()).isZero();

    Path runtime = target.resolve("image/runtime");
    String libraries = "lib/" + OTHER_MACHINE + "-linux-gnu/";
    assertThat(runtime.resolve("lib/ld-linux.so.1")).as("its loader").exists();
    for (String library : List.of("libc.so.6", "libsystemd.so.0", "libcap.so.2", "liblzma.so.5")) {
      assertThat(runtime.resolve(libraries + library)).exists();
    }
    assertThat(runtime.resolve(libraries + "libjvm.so")).as("of the runtime").doesNotExist();
    assertThat(runtime.resolve("usr/share/licenses/libcap2/copyright")).exists();
    assertThat(runtime.resolve("usr/lib"))
        .isDirectoryContaining("glob:**/libnetty_transport_native_epoll_" + OTHER_NETTY + ".so");
    assertThat(Files.readString(runtime.resolve("opt/java/jmods"))).isEqualTo("/of/jmods\n");
    Path app = target.resolve("image/archive/app");
    assertThat(app.resolve("probelet.jsa")).doesNotExist();
    assertThat(app.resolve("probelet.args"))
        .content()
        .startsWith(Files.readString(checkout.home().resolve("cli/src/main/dist/jvm.options")))
        .contains("-cp /app/libs/a.jar:")
        .doesNotContain("SharedArchiveFile");
  }

  @Test
  @DisplayName("is not made of files of an architecture that it is not for")
  void mixed() throws Exception {
    otherMachine(HERE_ELF);
    Ended ended = imageRoot();
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).contains(" is not for " + OTHER_MACHINE);
    assertThat(target.resolve("image")).doesNotExist();
  }

  @Test
  @DisplayName("is not made without a library that something in it is linked with")
  void incomplete() throws Exception {
    otherMachine(OTHER_ELF);
    Files.delete(system.resolve("usr/lib/" + OTHER_MACHINE + "-linux-gnu/libcap.so.2"));
    Ended ended = imageRoot();
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).contains("libcap.so.2 is not below " + system);
  }

  /** java and the system of the other machine, but one library that is of another. */
  private void otherMachine(String libraryElf) throws IOException {
    checkout.write("cli/target/lib/a.jar", "");
    checkout.write("cli/target/lib/netty-transport-native-epoll-4-linux-x.jar", "");
    checkout.write("cli/target/cli-1.jar", "");
    for (String library : List.of("libc.so.6", "libsystemd.so.0", "libcap.so.2", "liblzma.so.5")) {
      elf("usr/lib/" + OTHER_MACHINE + "-linux-gnu/" + library, OTHER_ELF);
    }
    elf("usr/lib/" + OTHER_MACHINE + "-linux-gnu/liblz4.so.1", libraryElf);
    elf("usr/lib/" + OTHER_MACHINE + "-linux-gnu/libzstd.so.1", OTHER_ELF);
    elf("lib/ld-linux.so.1", OTHER_ELF);
    checkout.write("../system/usr/share/doc/libcap2/copyright", "BSD");
    checkout.script(
        "scripts/runtime",
        "mkdir -p \"$1/bin\" \"$1/lib/server\"; cp '%s/lib/ld-linux.so.1' \"$1/bin/java\"; : >\"$1/lib/server/libjvm.so\"; echo \"$2\" >\"$1/jmods\""
            .formatted(system));
    checkout.script(
        "../jdk/bin/jar",
        "mkdir -p META-INF/native; for each in x86_64 aarch_64; do"
            + " echo so >META-INF/native/libnetty_transport_native_epoll_$each.so; done");
    checkout.script("scripts/class-archive", "exit 1");
    checkout.script(
        "../bin/readelf",
        """
        needs() { printf ' 0x01 (NEEDED)             Shared library: [%s]\\n' "$1"; }
        case $1 in -l) echo '      [Requesting program interpreter: /lib/ld-linux.so.1]' ;; esac
        for file; do
          case $file in
            */java) needs libc.so.6; needs libjvm.so ;;
            */libsystemd.so.0) needs libcap.so.2 ;;
            */libc.so.6) needs ld-linux.so.1 ;;
          esac
        done
        """);
  }

  private void elf(String path, String machine) throws IOException {
    Path file = system.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(
        file, HexFormat.of().parseHex("7f454c4602010100" + "0".repeat(16) + "0300" + machine));
  }

  private Ended image(String... arguments) throws Exception {
    return checkout.run(
        checkout.home(), Stream.concat(Stream.of("scripts/image"), Stream.of(arguments)).toList());
  }

  private Ended imageRoot() throws Exception {
    return checkout.run(
        checkout.home(), List.of("scripts/image-root", OTHER, system.toString(), "/of/jmods"));
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(directory.resolve("maven.runs"));
  }

  private static Path blob(Path layout, JsonNode descriptor) {
    String digest = descriptor.path("digest").asText().substring("sha256:".length());
    return layout.resolve("blobs/sha256").resolve(digest);
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(Files.readString(file, StandardCharsets.UTF_8));
  }
}
