package io.probelet.web.page.node;

import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.Severity;
import io.probelet.web.api.TerminationView;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The list of a node's containers as fragments: how many are ready, then those that a filter shows,
 * the worst first.
 */
public final class ContainerFragments {
  /** How many are shown at once. */
  static final int MAX_SHOWN = 500;

  /** A list that is not longer is kept up to date at once. */
  private static final int MAX_PROMPT = 50;

  /**
   * In a longer list, healthy containers are drawn again only this often; drawing every success of
   * 500 containers at once would cost a tenth of a core.
   */
  private static final Duration CALM = Duration.ofSeconds(10);

  private static final int MAX_NAME_LENGTH = 600;

  private final List<Shown> containers;
  private final ContainerFilter filter;
  private final String link;
  private final Instant now;

  private record Shown(ContainerView container, ContainerHealth health) {
    Severity severity() {
      return health.severity();
    }
  }

  /**
   * What makes a container be drawn again: a change, or for a healthy one a new round.
   *
   * @param round changes when it is time to draw it again
   */
  private record Version(
      String state,
      String message,
      @Nullable TerminationView last,
      boolean ready,
      boolean started,
      int restarts,
      @Nullable String startedAt,
      @Nullable String nextStart,
      List<Object> probes,
      long round) {}

  /** Where containers come from with all of their outcomes that are drawn. */
  public interface Histories {
    /**
     * Says that a container will be drawn; comes before the first of all is asked for.
     *
     * @param container without its history, or with less of it
     */
    void announce(ContainerView container);

    /**
     * {@return the container with its history, or as it is if it is no longer there}
     *
     * @param container without its history, or with less of it
     */
    ContainerView of(ContainerView container);
  }

  private record Outcome(
      String kind,
      String handler,
      String result,
      @Nullable String waitsFor,
      Mark newest,
      @Nullable String since) {}

  /**
   * Creates the list.
   *
   * @param containers with at least the newest outcome of each probe, in the order of the API
   * @param link relative address of a container's page, without parameters; empty for none
   */
  public ContainerFragments(
      List<ContainerView> containers, ContainerFilter filter, String link, Instant now) {
    this.containers =
        ContainerHealth.worstFirst(containers).stream()
            .map(each -> new Shown(each, ContainerHealth.of(each)))
            .toList();
    this.filter = filter;
    this.link = link;
    this.now = now;
  }

  /** {@return how many containers are ready, in one line} */
  public Fragment summary() {
    Map<Severity, Long> counts = new EnumMap<>(Severity.class);
    containers.stream()
        .filter(each -> each.severity() != Severity.HEALTHY)
        .forEach(each -> counts.merge(each.severity(), 1L, Long::sum));
    long ready = containers.stream().filter(each -> each.container().ready()).count();
    return new Fragment(
        "summary",
        List.of(counts, ready),
        () -> {
          Html html = new Html().open("p", "id", "summary");
          html.text(ready + " of " + containers.size() + " containers ready");
          counts.forEach((severity, count) -> part(html, severity, count));
          return html.close("p");
        });
  }

  private static void part(Html html, Severity severity, long count) {
    Mark mark = Mark.of(severity);
    html.text(" · ").open("b", "class", mark.label()).add(mark.html());
    html.text(" " + count + " " + severity.words()).close("b");
  }

  /**
   * {@return the containers that the filter shows, 500 at most, and what is said of the others}
   *
   * @param histories asked only of those that have to be drawn
   */
  public List<Fragment> list(Histories histories) {
    List<Shown> wanted =
        containers.stream().filter(each -> filter.shows(each.container(), each.health())).toList();
    int from = Math.min(filter.from(), wanted.size());
    int to = Math.min(from + MAX_SHOWN, wanted.size());
    boolean prompt = to - from <= MAX_PROMPT;
    List<Fragment> fragments = new ArrayList<>();
    for (Shown shown : wanted.subList(from, to)) {
      String key = key(shown.container());
      fragments.add(
          new Fragment(
              key,
              version(shown, key, prompt),
              () -> ContainerRow.of(histories.of(shown.container()), key, link, now),
              () -> histories.announce(shown.container())));
    }
    fragments.add(others(from, to, wanted));
    return fragments;
  }

  private Fragment others(int from, int to, List<Shown> wanted) {
    int all = wanted.size();
    String more = Severity.more(wanted.subList(to, all).stream().map(Shown::severity).toList());
    return new Fragment(
        "others",
        List.of(from, to, all, more),
        () -> {
          Html html = new Html().open("p", "id", "others");
          if (all == 0) {
            html.text(containers.isEmpty() ? "No containers." : "No container matches the filter.");
          }
          if (from > 0) {
            int before = Math.max(0, from - MAX_SHOWN);
            html.element("a", from + " more before", "href", filter.from(before).link("./"));
            html.text(" ");
          }
          if (to < all) {
            html.element("a", more, "href", filter.from(to).link("./"));
          }
          return html.close("p");
        });
  }

  /** An agent may answer any name; one that is no id gets a number. */
  private static String key(ContainerView container) {
    String name = container.namespace() + "/" + container.pod() + "/" + container.container();
    return isPlain(name)
        ? "c-" + name
        : "c." + Integer.toHexString(name.hashCode()) + "." + name.length();
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || (c >= '-' && c <= '/')
              || c == '_';
      if (!plain) {
        return false;
      }
    }
    return name.length() <= MAX_NAME_LENGTH;
  }

  private static Version version(Shown shown, String key, boolean prompt) {
    ContainerView container = shown.container();
    List<Object> probes = new ArrayList<>();
    long newest = 0;
    for (ProbeView probe : container.probes()) {
      List<OutcomeView> history = probe.outcomes();
      Mark mark = Mark.ofOutcome(history.isEmpty() ? "" : history.getLast().result());
      boolean at = mark != Mark.GOOD || prompt;
      probes.add(
          new Outcome(
              probe.kind(),
              probe.handler(),
              probe.result(),
              probe.waitsFor(),
              mark,
              at ? probe.lastProbe() : null));
      newest = Math.max(newest, millis(probe.lastProbe()));
    }
    long spread = Math.floorMod(key.hashCode(), CALM.toMillis()); // not all of them at once
    return new Version(
        container.state(),
        container.message(),
        container.lastTermination(),
        container.ready(),
        container.started(),
        container.restartCount(),
        container.startedAt(),
        container.nextStart(),
        probes,
        prompt ? 0 : (newest + spread) / CALM.toMillis());
  }

  private static long millis(@Nullable String time) {
    try {
      return time == null ? 0 : Rfc3339.read(time).toEpochMilli();
    } catch (DateTimeException | ArithmeticException another) {
      return 0;
    }
  }
}
