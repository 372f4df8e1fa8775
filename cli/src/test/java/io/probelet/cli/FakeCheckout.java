package io.probelet.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A checkout with the real scripts in it, whose JDK, Maven and apt-get are scripts that note what
 * they were asked.
 */
final class FakeCheckout {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> SCRIPTS =
      List.of(
          "probelet",
          "verify",
          "scripts/fetch",
          "scripts/find-jdk",
          "scripts/jdk.properties",
          "scripts/maven",
          ".mvn/wrapper/maven-wrapper.properties");

  /** What the scripts may take from the machine they run on. */
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "cp",
          "mv",
          "rm",
          "mkdir",
          "mktemp",
          "chmod",
          "touch",
          "find",
          "head",
          "flock",
          "grep",
          "sleep",
          "true",
          "sed",
          "dirname",
          "basename",
          "readlink",
          "uname",
          "curl",
          "sha256sum",
          "tar",
          "gzip");

  private final Path home;
  private final Path bin;
  private final Map<String, String> environment = new HashMap<>();

  FakeCheckout(Path directory) throws IOException {
    home = directory.resolve("check out");
    bin = directory.resolve("bin");
    for (String script : SCRIPTS) {
      Path copy = write(home.resolve(script), Files.readString(ROOT.resolve(script)));
      Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(ROOT.resolve(script)));
    }
    offers("http://127.0.0.1:1", "none"); // where nobody listens
    write(home.resolve("pom.xml"), "<project/>");
    write(home.resolve("cli/pom.xml"), "<project/>");
    write(home.resolve("cli/src/main/dist/jvm.options"), "-Xmx64m\n");
    source("agent/src/main/java/Main.java");
    write(home.resolve("common/documents/pom.xml"), "<project/>");
    source("common/documents/src/main/java/Text.java");
    for (String tool : TOOLS) {
      command(tool, "exec " + machines(tool) + " \"$@\"");
    }
    command("id", "echo 1000");
    jdk(home.resolveSibling("jdk"), 25);
    java("echo java-pid=$$; printf 'arg=%s\\n' \"$@\"; echo arenas=${MALLOC_ARENA_MAX:-}");
    maven(
        "mkdir -p cli/target/lib; : >cli/target/lib/b.jar; : >cli/target/lib/a.jar; "
            + ": >cli/target/cli-1.jar");
  }

  private static Path machines(String tool) {
    for (String place : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
      if (Files.isExecutable(Path.of(place, tool))) {
        return Path.of(place, tool);
      }
    }
    throw new IllegalStateException("no " + tool + " on this machine");
  }

  Path home() {
    return home;
  }

  Path jdk() {
    return home.resolveSibling("jdk");
  }

  /** Makes the archives of a JDK and of Maven come from a server, and have a checksum. */
  void offers(String server, String sha256) throws IOException {
    for (String file : List.of("scripts/jdk.properties", ".mvn/wrapper/maven-wrapper.properties")) {
      Path properties = home.resolve(file);
      String text = Files.readString(properties);
      write(
          properties,
          text.replaceAll("https?://[^/\n]*", server)
              .replaceAll("(?mi)^(\\w*sha256[^=]*)=.*", "$1=" + sha256));
    }
  }

  /** Where fetched archives are unpacked. */
  Path cache() {
    return home.resolveSibling(".cache").resolve("probelet");
  }

  /** Makes java do what the script says, after an AOT cache, if asked for one, has been written. */
  void java(String script) throws IOException {
    executable(
        jdk().resolve("bin/java"),
        """
        for a; do case $a in -XX:AOTCacheOutput=*) : >"${a#*=}"; exit 0;; esac; done
        """
            + script);
  }

  /** Makes Maven do what the script says, in the checkout; each run is noted. */
  void maven(String script) throws IOException {
    command("mvn", "echo \"$@\" >>" + quoted(home.resolve("mvn.runs")) + "\n" + script);
  }

  void withoutMaven() throws IOException {
    Files.deleteIfExists(bin.resolve("mvn"));
  }

  /** Puts a command on the path. */
  void command(String name, String script) throws IOException {
    executable(bin.resolve(name), script);
  }

  void source(String path) throws IOException {
    write(home.resolve(path), "// source\n");
  }

  /** Lets the scripts accept only a JDK no machine has. */
  void demandFutureJdk() throws IOException {
    Path script = home.resolve("scripts/find-jdk");
    write(script, Files.readString(script).replace("want=25", "want=999"));
  }

  List<String> mavenRuns() throws IOException {
    Path runs = home.resolve("mvn.runs");
    return Files.exists(runs) ? Files.readAllLines(runs) : List.of();
  }

  /** Sets a variable of the environment of the scripts. */
  void set(String variable, String value) {
    environment.put(variable, value);
  }

  Process start(String script, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(home.resolve(script).toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().putAll(variables());
    return builder.directory(home.getParent().toFile()).start();
  }

  private Map<String, String> variables() {
    Map<String, String> variables =
        new HashMap<>(
            Map.of(
                "PATH", bin.toString(),
                "JAVA_HOME", jdk().toString(),
                "HOME", home.getParent().toString(),
                "PROBELET_JAVA_OPTS", "-Dmine=1 -Dalso=2"));
    variables.putAll(environment);
    return variables;
  }

  Ended run(String script, String... arguments) throws Exception {
    return end(start(script, arguments));
  }

  /** Runs a script at a terminal where somebody types a line; what is printed is all in out. */
  Ended atTerminal(String line, String script) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("/usr/bin/script", "-qec", quoted(home.resolve(script)), "/dev/null");
    builder.environment().clear();
    builder.environment().putAll(variables());
    Process process = builder.directory(home.getParent().toFile()).start();
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.pid(), process.waitFor(), out, "");
  }

  static Ended end(Process process) throws Exception {
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running: " + process.info());
    }
    return new Ended(process.pid(), process.exitValue(), out, err);
  }

  /** How a script ended. */
  record Ended(long pid, int exitCode, String out, String err) {}

  private void jdk(Path directory, int version) throws IOException {
    write(directory.resolve("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
    executable(directory.resolve("bin/javac"), "exit 1");
  }

  private static void executable(Path path, String script) throws IOException {
    Path file = write(path, "#!/bin/sh\n" + script + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make executable: " + file);
    }
  }

  private static Path write(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  private static String quoted(Path path) {
    return "'" + path + "'";
  }
}
