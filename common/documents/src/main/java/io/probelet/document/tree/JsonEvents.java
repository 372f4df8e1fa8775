package io.probelet.document.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON, by Jackson's parser. */
final class JsonEvents implements TreeEvents {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser parser;
  private final Locator locator;
  private final Set<String> leftOut;
  private @Nullable JsonToken current;

  JsonEvents(String text, Locator locator) {
    try {
      this.parser = JSON.createParser(text);
    } catch (IOException e) {
      throw new UncheckedIOException("unreachable: the input is a string", e);
    }
    this.locator = locator;
    this.leftOut = Set.of();
  }

  /** Continues at the parser's position, and skips fields with these names at any depth. */
  JsonEvents(JsonParser parser, Locator locator, Set<String> leftOut) {
    this.parser = parser;
    this.locator = locator;
    this.leftOut = Set.copyOf(leftOut);
    this.current = parser.currentToken();
  }

  @Override
  public TreeEvent next() throws SyntaxException {
    try {
      JsonToken token = current == null ? parser.nextToken() : current;
      current = null;
      while (token == JsonToken.FIELD_NAME && leftOut.contains(parser.currentName())) {
        parser.nextToken();
        parser.skipChildren();
        token = parser.nextToken();
      }
      Position at = at(parser.currentTokenLocation());
      return switch (token) {
        case null -> new TreeEvent.Done(at);
        case NOT_AVAILABLE -> new TreeEvent.Done(at); // a missing node of a tree, never of a text
        case START_OBJECT -> new TreeEvent.MappingStart(at, null);
        case START_ARRAY -> new TreeEvent.SequenceStart(at, null);
        case END_OBJECT, END_ARRAY -> new TreeEvent.End(at);
        case VALUE_NUMBER_INT -> value(at, ScalarType.INTEGER);
        case VALUE_NUMBER_FLOAT -> value(at, ScalarType.FLOAT);
        case VALUE_TRUE, VALUE_FALSE -> value(at, ScalarType.BOOLEAN);
        case VALUE_NULL -> value(at, ScalarType.NULL);
        case FIELD_NAME, VALUE_STRING -> value(at, ScalarType.STRING);
        case VALUE_EMBEDDED_OBJECT -> throw new IllegalStateException("unexpected token: " + token);
      };
    } catch (JsonProcessingException e) {
      throw new SyntaxException(problemAt(e), "is not JSON" + why(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("unreachable: the input is complete", e);
    }
  }

  private TreeEvent value(Position at, ScalarType type) throws IOException {
    return new TreeEvent.Value(at, null, type, parser.getText(), false);
  }

  /**
   * Describes the error without quoting text, since a file in another format may contain secrets.
   */
  private static String why(String message) {
    return message.startsWith("Unrecognized token") ? ": unrecognized token" : ": " + message;
  }

  private Position problemAt(JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    return at(location == null ? parser.currentTokenLocation() : location);
  }

  private Position at(JsonLocation location) {
    return locator.locate(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }
}
