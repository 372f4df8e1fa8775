package io.probelet.cli.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Tries blocks by their language, and counts what was done. */
final class DocChecks {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NOT_RUN = "not run: ";

  private final List<String> problems = new ArrayList<>();
  private final List<String> explained = new ArrayList<>();
  private final Map<Tried, Integer> tried = new EnumMap<>(Tried.class);
  private final Set<String> foreign = new TreeSet<>();
  private final DocCommands commands;
  private final DocYaml yaml;

  /**
   * Has tried nothing yet.
   *
   * @param scratch where files go
   */
  DocChecks(Path scratch) throws IOException {
    commands = new DocCommands(scratch, this::count, problems::add, foreign::add);
    yaml = new DocYaml(scratch);
  }

  /** {@return what is wrong, with file and line} */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** {@return how often something was done} */
  int count(Tried how, int more) {
    return tried.merge(how, more, Integer::sum);
  }

  private void count(Tried how) {
    count(how, 1);
  }

  /** {@return what was done, for people} */
  String summary() {
    StringBuilder summary = new StringBuilder(tried.toString());
    summary.append("\n  programs of others: ").append(String.join(" ", foreign));
    explained.forEach(each -> summary.append("\n  not run: ").append(each));
    return summary.toString();
  }

  void check(DocBlock block) throws IOException {
    if (block.comment().startsWith(NOT_RUN)) {
      count(Tried.EXPLAINED);
      explained.add(block.place() + ": " + block.comment().substring(NOT_RUN.length()));
      return;
    }
    try {
      switch (block.language()) {
        case "yaml" -> yaml(block);
        case "json" -> json(block);
        case "sh", "shell", "bash" -> commands.script(block.place(), block.text());
        case "console" -> commands.console(block.place(), block.lines());
        case "xml" -> xml(block);
        case "java" -> java(block);
        case "promql" -> count(Tried.PARSED); // by promtool, all together
        case "text", "mermaid" -> count(Tried.OUTPUT); // ArchitectureDocTest holds the drawing
        case "" -> unmarked(block);
        default -> problem(block, "no test knows language " + block.language());
      }
    } catch (IllegalArgumentException wrong) {
      problem(block, wrong.getMessage());
    }
  }

  private void problem(DocBlock block, String what) {
    problems.add(block.place() + ": " + what);
  }

  /** Commands and JSON are recognized; all else says that it is text. */
  private void unmarked(DocBlock block) throws IOException {
    String text = block.text();
    if (!block.comment().isEmpty() || text.startsWith("# yaml-language-server")) {
      count(Tried.OUTPUT); // another test writes it, or holds it
    } else if (text.startsWith("$ ")) {
      commands.console(block.place(), block.lines());
    } else if (text.startsWith("{") || text.startsWith("\"")) {
      json(block);
    } else if (DocCommands.isCommand(text)) {
      commands.script(block.place(), text);
    } else {
      problem(block, "say what this is: ```sh, ```yaml, ```json, ```promql, or ```text for output");
    }
  }

  private void yaml(DocBlock block) throws IOException {
    yaml.problems(block.text()).forEach(wrong -> problem(block, wrong));
    count(Tried.RUN);
  }

  /** A block may be a part of an object, or several values. */
  private void json(DocBlock block) {
    String text = block.text();
    String whole = text.startsWith("\"") ? "{" + text + "}" : text;
    try (MappingIterator<JsonNode> values = JSON.readerFor(JsonNode.class).readValues(whole)) {
      values.readAll();
      count(Tried.PARSED);
    } catch (IOException broken) {
      problem(block, "no JSON: " + broken.getMessage());
    }
  }

  private void xml(DocBlock block) throws IOException {
    try {
      DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      parser.setErrorHandler(new DefaultHandler()); // which prints nothing
      parser.parse(new InputSource(new StringReader(block.text())));
      count(Tried.PARSED);
    } catch (ParserConfigurationException | SAXException broken) {
      problem(block, "no XML: " + broken.getMessage());
    }
  }

  /** A file, members of a class, or statements of a method. */
  private void java(DocBlock block) {
    String text = block.text();
    boolean parsed =
        Stream.of(text, "class A {" + text + "}", "class A { void a() {" + text + ";}}")
            .anyMatch(DocChecks::isJava);
    if (!parsed) {
      problem(block, "no Java");
    }
    count(Tried.PARSED);
  }

  private static boolean isJava(String text) {
    DiagnosticCollector<JavaFileObject> wrong = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    try {
      ((JavacTask)
              ToolProvider.getSystemJavaCompiler()
                  .getTask(null, null, wrong, null, null, List.of(source)))
          .parse();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return wrong.getDiagnostics().isEmpty();
  }
}
