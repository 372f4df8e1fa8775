package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.cli.FakeCheckout.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * scripts/release in a repository of its own, with scripts in place of the JDK, Maven and what
 * makes the runtime.
 */
class ReleaseScriptTest {
  private static final String ARCHITECTURE =
      System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");

  @TempDir Path directory;
  private ScriptedCheckout checkout;
  private Path home;

  @BeforeEach
  void setUp() throws Exception {
    checkout = new ScriptedCheckout(directory);
    home = checkout.home();
    checkout.copy("scripts/release", "LICENSE", "README.md", "cli/src/main/dist/jvm.options");
    checkout.copy("cli/src/main/dist/bin/probelet", "cli/src/main/dist/bin/kubectl-probelet");
    for (String file :
        List.of(
            "control",
            "copyright",
            "postinst",
            "prerm",
            "postrm",
            "probelet.env",
            "probelet.service")) {
      checkout.copy("cli/src/main/deb/" + file);
    }
    checkout.write(
        "pom.xml",
        """
        <project>
          <version>0.9.0-SNAPSHOT</version>
            <project.build.outputTimestamp>2026-01-01T00:00:00Z</project.build.outputTimestamp>
        """);
    checkout.write(
        "CHANGELOG.md", "# Changelog\n\n## 0.9.0, not released\n\n## 0.8.0, 2026-02-03\n");
    checkout.write("docs/how-to/agent.md", "probelet:0.9.0-SNAPSHOT\n");
    checkout.write("examples/web.yaml", "kind: Pod\n");
    checkout.write("deploy/daemonset.yaml", "image: probelet:0.9.0-SNAPSHOT");
    checkout.write("deploy/crds/one.yaml", "");
    checkout.write("deploy/helm/probelet/Chart.yaml", "appVersion: 0.9.0-SNAPSHOT");
    Files.createSymbolicLink(home.resolve("deploy/helm/probelet/crds"), Path.of("../../crds"));
    checkout.write("kustomize/agents/kustomization.yaml", "");
    checkout.write("cli/src/main/image/classes", "");
    checkout.write(".gitignore", "target/\n");
    checkout.script("scripts/find-jdk", "echo '" + directory + "/jdk'");
    checkout.script(
        "scripts/maven",
        """
        cd "$(dirname "$0")/.."
        echo "$*" >>'%s/maven.runs'
        case $* in *deploy) mkdir -p "$(echo "$*" | sed 's,.*file://,,; s, .*,,')"; exit ;; esac
        mkdir -p cli/target/lib
        cat pom.xml >cli/target/cli-1.jar
        for jar in b a netty-transport-native-epoll-4-linux-x86_64 netty-transport-native-epoll-4-linux-aarch_64; do
          echo $jar >cli/target/lib/$jar.jar
        done
        echo bom >cli/target/probelet-sbom.json
        """
            .formatted(directory));
    checkout.script(
        "scripts/runtime", "mkdir -p \"$1/bin\" \"$1/lib\"; echo \"$*\" >\"$1/bin/java\"");
    checkout.script("scripts/class-archive", "cat lib/a.jar >\"$3\"; echo \"$2\" >>\"$3\"");
    checkout.script(
        "../jdk/bin/jar",
        "mkdir -p META-INF/native; for each in x86_64 aarch_64; do"
            + " echo so >META-INF/native/libnetty_transport_native_epoll_$each.so; done");
    checkout.script(
        "../jdk/bin/java",
        """
        case $1 in */SlimJars.java) for jar in "$2"/?.jar; do echo slim >>"$jar"; done; exit ;; esac
        mkdir -p "$5/man/man1" "$5/bash-completion/completions"
        echo $4 >"$5/man/man1/probelet.1"
        echo c >"$5/bash-completion/completions/probelet"
        """);
    git("init", "-q");
    commit();
  }

  @Test
  @DisplayName(
      "makes an archive, a package, a bill of materials and their checksums, twice the same")
  void release() throws Exception {
    Ended ended = release("0.8.0", "--twice");

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    Path made = home.resolve("target/release");
    String name = "probelet-0.8.0-linux-" + ARCHITECTURE;
    assertThat(Files.readString(made.resolve("SHA256SUMS")))
        .isEqualTo(ended.out())
        .contains("  " + name + ".tar.gz\n", "  probelet-0.8.0-sbom.json\n");
    assertThat(run(made, "sha256sum", "-c", "SHA256SUMS").exitCode()).isZero();
    assertThat(made.resolve("maven")).isDirectory();

    List<String> files =
        run(made, "tar", "-tvf", name + ".tar.gz", "--utc", "--numeric-owner")
            .out()
            .lines()
            .toList();
    assertThat(files)
        .isNotEmpty()
        .allMatch(line -> line.contains(" 0/0 ") && line.contains("2026-01-01"));
    assertThat(
            files.stream()
                .map(
                    line -> line.replaceFirst(".*:\\d\\d ", "").replaceFirst("^" + name + "/", "")))
        .isSorted()
        .contains(
            "bin/probelet",
            "bin/kubectl-probelet",
            "examples/web.yaml",
            "lib/a.jar",
            "lib/jvm.options",
            "lib/probelet.jsa",
            "share/doc/probelet/LICENSE",
            "share/doc/probelet/docs/how-to/agent.md",
            "share/doc/probelet/probelet-sbom.json",
            "share/man/man1/probelet.1")
        .noneMatch(file -> file.contains("native-epoll"))
        .anyMatch(file -> file.matches("runtime/lib/libnetty_transport_native_epoll_.*\\.so"));

    run(directory, "tar", "-xf", made.resolve(name + ".tar.gz").toString());
    Path unpacked = directory.resolve(name);
    assertThat(unpacked.resolve("lib/jvm.options"))
        .hasSameTextualContentAs(home.resolve("cli/src/main/dist/jvm.options"));
    assertThat(Files.readString(unpacked.resolve("lib/cli-1.jar"))).contains("<version>0.8.0<");
    assertThat(unpacked.resolve("examples/../probelet"))
        .as("what the examples call")
        .hasSameBinaryContentAs(unpacked.resolve("bin/probelet"));
    assertThat(unpacked.resolve("examples/../docs/how-to/agent.md"))
        .as("a link in the examples")
        .exists();
    assertThat(unpacked.resolve("share/doc/probelet/docs/../examples/web.yaml"))
        .as("a link in the documentation")
        .exists();
    assertThat(Files.readString(unpacked.resolve("share/doc/probelet/docs/how-to/agent.md")))
        .as("a version in a text")
        .isEqualTo("probelet:0.8.0\n");
    assertThat(Files.readString(unpacked.resolve("lib/probelet.jsa")))
        .as("of the jars as they are shipped, by the class path of the launcher")
        .isEqualTo("a\nslim\nlib/a.jar:lib/b.jar:lib/cli-1.jar\n");
    assertThat(Files.readString(home.resolve("pom.xml"))).contains("0.9.0-SNAPSHOT");
  }

  @Test
  @DisplayName("makes an archive of what is applied to a cluster, and one of the chart by itself")
  void manifests() throws Exception {
    assertThat(release("0.8.0").exitCode()).isZero();
    Path made = home.resolve("target/release");
    for (String archive : List.of("probelet-0.8.0-deploy.tar.gz", "probelet-0.8.0-chart.tgz")) {
      assertThat(made.resolve("SHA256SUMS")).content().contains("  " + archive + "\n");
      run(directory, "tar", "-xf", made.resolve(archive).toString());
    }
    Path unpacked = directory.resolve("probelet-0.8.0-deploy");
    assertThat(unpacked.resolve("kustomize/agents/kustomization.yaml")).exists();
    assertThat(unpacked.resolve("deploy/daemonset.yaml")).hasContent("image: probelet:0.8.0");
    Path linked = unpacked.resolve("deploy/helm/probelet/crds");
    assertThat(linked).isSymbolicLink();
    assertThat(linked.resolve("one.yaml")).as("by a link that leads there").exists();

    Path chart = directory.resolve("probelet");
    assertThat(chart.resolve("Chart.yaml")).hasContent("appVersion: 0.8.0");
    assertThat(chart.resolve("crds")).isDirectory().isNotEmptyDirectory();
    assertThat(Files.isSymbolicLink(chart.resolve("crds"))).isFalse();
  }

  @Test
  @DisplayName("the Debian package has the unit, the configuration and links in /usr/bin")
  void debian() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "no dpkg-deb here");
    checkout.write("CHANGELOG.md", "## 0.8.0-rc.1, 2026-02-03\n");
    commit();
    Ended ended = release("0.8.0-rc.1");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    String machine = ARCHITECTURE.equals("x86_64") ? "amd64" : "arm64";
    Path made = home.resolve("target/release");
    String deb = "probelet_0.8.0-rc.1_" + machine + ".deb";

    assertThat(run(made, "dpkg-deb", "-f", deb).out())
        .contains("Package: probelet\n", "Version: 0.8.0~rc.1\n", "Architecture: " + machine + "\n")
        .containsPattern("Installed-Size: \\d+\n")
        .doesNotContain("@VERSION", "@SIZE", "@ARCH");
    assertThat(run(made, "dpkg-deb", "-c", deb).out())
        .contains(
            " ./usr/bin/probelet -> ../lib/probelet/bin/probelet\n",
            " ./usr/bin/kubectl-probelet -> ../lib/probelet/bin/kubectl-probelet\n",
            " ./usr/lib/systemd/system/probelet.service\n",
            " ./etc/probelet/probelet.env\n",
            " ./etc/probelet/pods/\n",
            " ./usr/share/man/man1/probelet.1.gz\n",
            " ./usr/share/bash-completion/completions/probelet\n",
            " ./usr/share/doc/probelet/examples/web.yaml\n",
            " ./usr/share/doc/probelet/copyright\n")
        .doesNotContain("./usr/lib/probelet/docs", "./usr/lib/probelet/probelet ");
    assertThat(run(made, "dpkg-deb", "-I", deb, "conffiles").out())
        .isEqualTo("/etc/probelet/probelet.env\n");
  }

  @Test
  @DisplayName("maintainer and home page of the package are taken to the letter, or left out")
  void addresses() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "no dpkg-deb here");
    String maintainer = "A & B|C\\1 <a@example.org>";
    String page = "https://example.org/?a=1&b=2";
    assertThat(control()).contains("<maintainers@probelet.invalid>").doesNotContain("Homepage");
    assertThat(control("PROBELET_MAINTAINER=" + maintainer, "PROBELET_HOMEPAGE=" + page))
        .contains("Maintainer: " + maintainer + "\n", "Homepage: " + page + "\n");
  }

  /** What the package says of itself, made with these variables. */
  private String control(String... variables) throws Exception {
    String[] command =
        Stream.of(
                Stream.of("/usr/bin/env"),
                Stream.of(variables),
                Stream.of(home.resolve("scripts/release").toString(), "0.8.0"))
            .flatMap(words -> words)
            .toArray(String[]::new);
    Ended ended = run(home, command);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    try (Stream<Path> made = Files.list(home.resolve("target/release"))) {
      Path deb = made.filter(each -> each.toString().endsWith(".deb")).findFirst().orElseThrow();
      return run(home, "dpkg-deb", "-f", deb.toString()).out();
    }
  }

  @Test
  @DisplayName(
      "for another architecture takes the modules of its JDK, and makes no archive of classes")
  void otherArchitecture() throws Exception {
    String other = ARCHITECTURE.equals("x86_64") ? "aarch64" : "x86_64";
    Ended without = release("--arch", other);
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.err()).contains("this machine is not " + other, "--jmods");

    Ended noModules = release("--arch", other, "--jmods", directory.toString());
    assertThat(noModules.err()).contains("no java.base.jmod in " + directory);

    checkout.write("../jmods/java.base.jmod", "");
    Ended with = release("--arch", other, "--jmods", directory.resolve("jmods").toString());
    assertThat(with.exitCode()).as(with.err()).isZero();
    String files =
        run(
                home.resolve("target/release"),
                "tar",
                "-tf",
                "probelet-0.9.0-SNAPSHOT-linux-" + other + ".tar.gz")
            .out();
    assertThat(files)
        .contains(
            "runtime/lib/libnetty_transport_native_epoll_"
                + (other.equals("aarch64") ? "aarch_64" : other))
        .doesNotContain("probelet.jsa");
  }

  @Test
  @DisplayName("fails if runtime and jars are larger than they may be")
  void tooLarge() throws Exception {
    checkout.script(
        "scripts/runtime",
        "mkdir -p \"$1/bin\" \"$1/lib\"; echo java >\"$1/bin/java\"; truncate -s 66M \"$1/lib/modules\"");
    Ended ended = release("--twice");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("runtime and jars: 66.0 MiB\n", "more than 66 MiB");
    assertThat(home.resolve("target/release")).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "0.8, is no version",
    "0.8.0-SNAPSHOT, is no version",
    "v0.8.0, is no version",
    "0.7.0, 'CHANGELOG.md has no heading \"## 0.7.0, \" with the date'",
    "0.9.0, CHANGELOG.md has no heading",
    "--fast, there is no option --fast",
    "--arch, --arch wants a value"
  })
  @DisplayName("refuses what is no release")
  void refused(String argument, String message) throws Exception {
    Ended ended = release(argument);
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains(message);
    assertThat(home.resolve("target")).doesNotExist();
  }

  @Test
  @DisplayName("refuses to release what is not committed")
  void uncommitted() throws Exception {
    checkout.write("docs/new.txt", "");
    Ended ended = release("0.8.0");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("changes that are not committed");
  }

  @Test
  @DisplayName("fails if the second time it is not the same")
  void differs() throws Exception {
    checkout.script("scripts/runtime", "mkdir -p \"$1/bin\" \"$1/lib\"; echo $$ >\"$1/bin/java\"");
    Ended ended = release("--twice");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("not the same");
  }

  private Ended release(String... arguments) throws Exception {
    String[] command =
        Stream.concat(Stream.of("scripts/release"), Stream.of(arguments)).toArray(String[]::new);
    return run(home, command);
  }

  private Ended run(Path where, String... command) throws Exception {
    return checkout.run(where, List.of(command));
  }

  private void commit() throws Exception {
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@example", "commit", "-q", "-m", "all");
  }

  private void git(String... arguments) throws Exception {
    String[] command = Stream.concat(Stream.of("git"), Stream.of(arguments)).toArray(String[]::new);
    Ended ended = run(home, command);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }
}
