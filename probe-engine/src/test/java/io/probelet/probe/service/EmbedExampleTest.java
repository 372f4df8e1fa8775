package io.probelet.probe.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** examples/embed, a project outside the build. */
class EmbedExampleTest {
  private static final Path PROJECT = Path.of("../examples/embed");
  private static final Path PROGRAM =
      PROJECT.resolve("src/main/java/example/embed/EmbeddedProbes.java");

  @TempDir Path classes;

  @Test
  @Timeout(120)
  @DisplayName("compiles for JDK 21 against the library as it is, and restarts what fails")
  void restarts() throws Exception {
    compile();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Method run =
          loader
              .loadClass("example.embed.EmbeddedProbes")
              .getDeclaredMethod("run", PrintStream.class);
      run.setAccessible(true);
      run.invoke(null, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines().map(String::strip).toList())
        .containsExactly(
            "first SUCCESS",
            "first FAILURE HTTP probe failed with statuscode: 500",
            "restart first: HTTP probe failed with statuscode: 500",
            "second SUCCESS");
  }

  @Test
  @DisplayName("takes this version of the library")
  void version() throws IOException {
    String parent = Files.readString(Path.of("../pom.xml"));
    String version =
        parent.substring(
            parent.indexOf("<version>") + "<version>".length(), parent.indexOf("</version>"));
    assertThat(Files.readString(PROJECT.resolve("pom.xml")))
        .contains("<probelet.version>" + version + "</probelet.version>");
  }

  @Test
  @DisplayName("is a program of some forty lines besides its imports")
  void length() throws IOException {
    assertThat(
            Files.readAllLines(PROGRAM).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("import")))
        .hasSizeLessThanOrEqualTo(55);
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-proc:none",
              "--release",
              "21",
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      assertThat(
              compiler
                  .getTask(errors, files, null, options, null, files.getJavaFileObjects(PROGRAM))
                  .call())
          .as(errors.toString())
          .isTrue();
    }
  }
}
