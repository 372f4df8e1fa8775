package io.probelet.web.page;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The part of a page that is kept up to date: an element whose children are fragments, in order.
 */
public final class LiveRegion {
  private LiveRegion() {}

  /**
   * Makes the element. At most one is on a page; {@code page.js} opens its stream.
   *
   * @param tag the element's name, such as main
   * @param stream relative address of the {@link LiveStream} of the same fragments
   * @return one element
   */
  public static Html of(String tag, String stream, List<Fragment> fragments, Instant now) {
    Html region = begin(tag, stream, fragments, now);
    fragments.forEach(fragment -> region.add(fragment.html().get()));
    return region.close(tag);
  }

  /** The same without content and end, for callers that add these as they are made. */
  static Html begin(String tag, String stream, List<Fragment> fragments, Instant now) {
    fragments.forEach(fragment -> fragment.announce().run());
    return new Html()
        .open(
            tag,
            "id",
            "live",
            "data-live",
            stream,
            "data-now",
            now.truncatedTo(ChronoUnit.MILLIS).toString(),
            "data-tags",
            fragments.stream().map(Fragment::tag).collect(Collectors.joining(" ")));
  }
}
