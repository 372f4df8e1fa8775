package io.probelet.checks.result;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** The grammar in which the details of several checks make one message (CH-8). */
final class Details {

  private Details() {}

  static String of(List<String> notExecuted, List<String> failed, List<String> progressing) {
    List<Group> groups =
        Stream.of(
                new Group("Unable to execute ", notExecuted),
                new Group("Failed ", failed),
                new Group("Progressing ", progressing))
            .filter(group -> !group.items.isEmpty())
            .toList();
    StringJoiner message = new StringJoiner(" ");
    for (Group group : groups) {
      message.add(groups.size() == 1 ? group.enumerated() : group.headed());
    }
    return message.toString();
  }

  static String checks(int number) {
    return number > 1 ? "checks" : "check";
  }

  private record Group(String heading, List<String> items) {

    String headed() {
      return heading + checks(items.size()) + ": " + enumerated();
    }

    String enumerated() {
      if (items.size() == 1) {
        return sentence(items.getFirst());
      }
      StringJoiner list = new StringJoiner(" ");
      for (int i = 0; i < items.size(); i++) {
        list.add((i + 1) + ") " + sentence(items.get(i)));
      }
      return list.toString();
    }

    private static String sentence(String item) {
      return item.endsWith(".") ? item : item + ".";
    }
  }
}
