package io.probelet.document.tree;

import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the tree of one document, and rejects documents that would become too large. */
final class TreeBuilder {
  /** Deeper than any pod; the parsers slow down with the square of the depth. */
  private static final int DEEPEST = 64;

  /** The most values of a document, counting aliased values each time. */
  static final int MAX_VALUES = 200_000;

  private static final String MERGE = "<<";

  /** The most problems kept, since each quotes text of the document. */
  private static final int MAX_PROBLEMS = 200;

  private final TreeEvents events;
  private final int mostValues;
  private final List<SyntaxProblem> problems = new ArrayList<>();
  private final Map<String, Anchored> anchors = new HashMap<>();
  private int values;

  private record Anchored(Node node, int values) {}

  TreeBuilder(TreeEvents events) {
    this(events, MAX_VALUES);
  }

  TreeBuilder(TreeEvents events, int mostValues) {
    this.events = events;
    this.mostValues = mostValues;
  }

  Document build(int number) {
    try {
      TreeEvent first = events.next();
      if (first instanceof TreeEvent.Done) {
        return new Document(number, null, List.of());
      }
      Node root = node(first, 0);
      TreeEvent rest = events.next();
      if (!(rest instanceof TreeEvent.Done)) {
        throw new SyntaxException(rest.at(), "unexpected second value in the document");
      }
      return new Document(number, isNothing(root) ? null : root, problems);
    } catch (SyntaxException e) {
      problems.add(e.problem());
      return new Document(number, null, problems);
    }
  }

  private static boolean isNothing(Node node) {
    return node instanceof Scalar(_, ScalarType type, _) && type == ScalarType.NULL;
  }

  private Node node(TreeEvent event, int depth) throws SyntaxException {
    if (depth > DEEPEST) {
      throw new SyntaxException(event.at(), "is nested more than " + DEEPEST + " levels deep");
    }
    count(1, event.at());
    int before = values;
    return switch (event) {
      case TreeEvent.Value value ->
          anchored(value.anchor(), new Scalar(value.at(), value.type(), value.text()), before);
      case TreeEvent.SequenceStart start ->
          anchored(start.anchor(), sequence(start.at(), depth), before);
      case TreeEvent.MappingStart start ->
          anchored(start.anchor(), mapping(start.at(), depth), before);
      case TreeEvent.Alias alias -> resolved(alias);
      case TreeEvent.End end -> throw new SyntaxException(end.at(), "a value is missing here");
      case TreeEvent.Done done -> throw new SyntaxException(done.at(), "a value is missing here");
    };
  }

  private void count(int more, Position at) throws SyntaxException {
    values += more;
    if (values > mostValues) {
      throw new SyntaxException(
          at,
          "holds more than " + mostValues + " values, aliases expanded; split it or drop aliases");
    }
  }

  private Node anchored(@Nullable String anchor, Node node, int before) {
    if (anchor != null) {
      anchors.put(anchor, new Anchored(node, values - before));
    }
    return node;
  }

  private Node resolved(TreeEvent.Alias alias) throws SyntaxException {
    Anchored anchored = anchors.get(alias.anchor());
    if (anchored == null) {
      throw new SyntaxException( // quotes no text: it may be a password that begins with *
          alias.at(), "undefined alias; quote text that begins with *");
    }
    count(anchored.values(), alias.at());
    return anchored.node();
  }

  private Sequence sequence(Position at, int depth) throws SyntaxException {
    List<Node> items = new ArrayList<>();
    TreeEvent event = events.next();
    while (!(event instanceof TreeEvent.End)) {
      items.add(node(event, depth + 1));
      event = events.next();
    }
    return new Sequence(at, items);
  }

  private Mapping mapping(Position at, int depth) throws SyntaxException {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    List<Node> merged = new ArrayList<>();
    TreeEvent event = events.next();
    while (!(event instanceof TreeEvent.End)) {
      TreeEvent name = event;
      if (name instanceof TreeEvent.Value value && value.plain() && value.text().equals(MERGE)) {
        merged.add(node(events.next(), depth + 1));
      } else if (node(name, depth + 1) instanceof Scalar key) {
        Node.Entry entry = new Node.Entry(name.at(), node(events.next(), depth + 1));
        Node.Entry earlier = entries.putIfAbsent(key.text(), entry);
        if (earlier != null) {
          complain(
              name.at(),
              "\"%s\" is given twice, first at %s".formatted(key.text(), earlier.nameAt()));
        }
      } else {
        complain(name.at(), "a field name must be text");
        node(events.next(), depth + 1);
      }
      event = events.next();
    }
    for (Node source : merged) {
      merge(source, entries);
    }
    return new Mapping(at, entries);
  }

  private void complain(Position at, String message) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new SyntaxProblem(at, message));
    }
  }

  private void merge(Node source, Map<String, Node.Entry> entries) {
    switch (source) {
      case Mapping mapping -> mapping.entries().forEach(entries::putIfAbsent);
      case Sequence sequence -> sequence.items().forEach(item -> mergeItem(item, entries));
      case Scalar scalar -> notMergeable(scalar);
    }
  }

  private void mergeItem(Node item, Map<String, Node.Entry> entries) {
    if (item instanceof Mapping mapping) {
      mapping.entries().forEach(entries::putIfAbsent);
    } else {
      notMergeable(item);
    }
  }

  private void notMergeable(Node node) {
    complain(node.at(), "<< requires a mapping");
  }
}
