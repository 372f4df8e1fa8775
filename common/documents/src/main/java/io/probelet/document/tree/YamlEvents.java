package io.probelet.document.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads YAML with SnakeYAML's parser. Unlike Jackson's tokens, its events include anchors of
 * scalars and distinguish plain from quoted text.
 */
final class YamlEvents implements TreeEvents {
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  private final Parser parser;
  private final Locator locator;
  private Position last;

  YamlEvents(String text, Locator locator) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the reader of the text limits its size
    this.parser = new ParserImpl(new StreamReader(text), options);
    this.locator = locator;
    this.last = locator.locate(1, 1);
  }

  @Override
  public TreeEvent next() throws SyntaxException {
    try {
      while (!parser.checkEvent(Event.ID.StreamEnd)) {
        TreeEvent event = translated(parser.getEvent());
        if (event != null) {
          last = event.at();
          return event;
        }
      }
      return new TreeEvent.Done(at(parser.peekEvent().getStartMark()));
    } catch (MarkedYAMLException e) {
      throw new SyntaxException(problemAt(e), message(e));
    } catch (YAMLException | IllegalArgumentException e) {
      // IllegalArgumentException: escapes of code points that do not exist
      throw new SyntaxException(last, "is not YAML after this: " + e.getMessage());
    }
  }

  private @Nullable TreeEvent translated(Event event) throws SyntaxException {
    Position at = at(event.getStartMark());
    return switch (event) {
      case MappingStartEvent start -> new TreeEvent.MappingStart(at, start.getAnchor());
      case SequenceStartEvent start -> new TreeEvent.SequenceStart(at, start.getAnchor());
      case ScalarEvent scalar -> value(at, scalar);
      case AliasEvent alias -> new TreeEvent.Alias(at, alias.getAnchor());
      case MappingEndEvent _, SequenceEndEvent _ -> new TreeEvent.End(at);
      case StreamEndEvent _ -> new TreeEvent.Done(at);
      case DocumentStartEvent _ -> null;
      default -> null;
    };
  }

  private static TreeEvent value(Position at, ScalarEvent scalar) {
    boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN && scalar.getTag() == null;
    return new TreeEvent.Value(at, scalar.getAnchor(), type(scalar), scalar.getValue(), plain);
  }

  private static ScalarType type(ScalarEvent scalar) {
    String tag = scalar.getTag();
    boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    boolean resolve = tag == null ? plain : tag.startsWith(TAG_PREFIX) && !isText(tag);
    return resolve ? PlainScalar.typeOf(scalar.getValue()) : ScalarType.STRING;
  }

  private static boolean isText(String tag) {
    return tag.equals(TAG_PREFIX + "str") || tag.equals(TAG_PREFIX + "binary");
  }

  private Position at(Mark mark) {
    return locator.locate(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private Position problemAt(MarkedYAMLException e) {
    return e.getProblemMark() == null ? last : at(e.getProblemMark());
  }

  /** The parser appends names of tags, anchors and directives, which may be parts of a secret. */
  private static String withoutNames(String problem) {
    for (String beforeName : List.of("found undefined tag handle", "found duplicate anchor")) {
      if (problem.startsWith(beforeName)) {
        return beforeName;
      }
    }
    return problem;
  }

  private String message(MarkedYAMLException e) {
    String message = "is not YAML: " + withoutNames(e.getProblem());
    if (e.getContext() == null) {
      return message;
    }
    message += " " + e.getContext();
    Mark begin = e.getContextMark();
    boolean elsewhere = begin != null && !at(begin).equals(problemAt(e));
    return elsewhere ? message + ", which begins at " + at(begin) : message;
  }
}
