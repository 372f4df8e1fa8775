package io.probelet.rehearsal.simulate;

import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.web.page.Asset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The drawing of a timeline as a file that includes its colors. */
public final class TimelineSvg {
  /** The style sheet that also colors the drawing on pages. */
  public static final String STYLE = "timeline.css";

  private TimelineSvg() {}

  /**
   * Draws a timeline.
   *
   * @throws IOException if the program's own files cannot be read
   */
  public static String draw(Timeline timeline) throws IOException {
    ByteArrayOutputStream style = new ByteArrayOutputStream();
    Asset.of(STYLE).get(Map.of()).body().writeTo(style);
    String drawing = TimelineDrawing.of(timeline).toString();
    int inside = drawing.indexOf('>') + 1;
    return drawing.substring(0, inside)
        + "\n<style>\n"
        + style.toString(StandardCharsets.UTF_8)
        + "</style>\n"
        + drawing.substring(inside).replace("><", ">\n<")
        + "\n";
  }
}
