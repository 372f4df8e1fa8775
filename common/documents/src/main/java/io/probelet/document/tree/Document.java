package io.probelet.document.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One document of a file.
 *
 * @param number 1 for the first of its file
 * @param root its value; null when it is empty or when its syntax is broken
 * @param problems its syntax errors
 */
public record Document(int number, @Nullable Node root, List<SyntaxProblem> problems) {
  private static final String STATUS = "status";

  /** Keeps an unmodifiable copy of the problems. */
  public Document {
    problems = List.copyOf(problems);
  }

  /**
   * Reads YAML. A document with broken syntax does not hide the ones after it.
   *
   * @param source the file's text; may be JSON too
   * @return its documents in order, without empty ones; each is read lazily
   */
  public static Stream<Document> yaml(Source source) {
    return yaml(source, TreeBuilder.MAX_VALUES);
  }

  /**
   * Reads YAML as the other method does.
   *
   * @param source the file's text; may be JSON too
   * @param mostValues the most values of a document, counting aliased values each time
   * @return its documents in order
   */
  public static Stream<Document> yaml(Source source, int mostValues) {
    if (source.startsAsJson()) {
      Document json = json(source, mostValues);
      if (json.problems().isEmpty()) {
        return Stream.of(json);
      }
    }
    List<DocumentSplitter.Part> parts = DocumentSplitter.split(source.text());
    return IntStream.range(0, parts.size())
        .mapToObj(i -> parts.get(i).read(i + 1, mostValues))
        .filter(document -> document.root() != null || !document.problems().isEmpty());
  }

  /**
   * Reads JSON, strictly.
   *
   * @return its one document
   */
  public static Document json(Source source) {
    return json(source, TreeBuilder.MAX_VALUES);
  }

  /**
   * Reads JSON as the other method does.
   *
   * @param mostValues the most values
   * @return its one document
   */
  public static Document json(Source source, int mostValues) {
    return new TreeBuilder(new JsonEvents(source.text(), Position::new), mostValues).build(1);
  }

  /**
   * Reads one JSON value written by a program; its nodes have no positions.
   *
   * @param json at the value's beginning; afterwards at its end, or within it on an error
   * @param leftOut names of fields to skip at any depth
   */
  public static Document ofProgram(JsonParser json, Set<String> leftOut) {
    JsonEvents events = new JsonEvents(json, (_, _) -> Position.UNKNOWN, leftOut);
    return new TreeBuilder(new InnerEvents(events)).build(1);
  }

  /**
   * Reads an object of the API server, without its status and managed fields.
   *
   * @param object the object, or any other value
   * @return the object as a document, without places
   */
  public static Document ofObject(JsonNode object) {
    JsonNode asked = object;
    if (object.isObject() && object.has(STATUS)) {
      asked = JsonNodeFactory.instance.objectNode().setAll((ObjectNode) object);
      ((ObjectNode) asked).remove(STATUS);
    }
    return ofProgram(asked.traverse(), Set.of("managedFields"));
  }

  /**
   * Reads the YAML or JSON text in a scalar of a document.
   *
   * @param mostValues the most values, counting aliased values each time
   * @return the one document in it
   */
  public static Document embedded(Node.Scalar scalar, Source source, int mostValues) {
    Locator locator = new EmbeddedText(scalar, source);
    if (Source.startsAsJson(scalar.text())) {
      Document json = new TreeBuilder(new JsonEvents(scalar.text(), locator), mostValues).build(1);
      if (json.problems().isEmpty()) {
        return json;
      }
    }
    return new TreeBuilder(new YamlEvents(scalar.text(), locator), mostValues).build(1);
  }
}
