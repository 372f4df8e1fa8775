package io.probelet.cli.browser;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes pictures of text a third of their size: by the 256 colours that most of it has. */
final class SmallPng {
  private static final int COLOURS = 256;
  private static final int BITS = 8;

  private SmallPng() {}

  /** Writes a picture anew, each of its colours the nearest of those that are kept. */
  static void shrink(Path file) throws IOException {
    BufferedImage picture = ImageIO.read(file.toFile());
    int width = picture.getWidth();
    int height = picture.getHeight();
    int[] pixels = picture.getRGB(0, 0, width, height, null, 0, width);
    int[] kept = mostUsed(pixels);
    IndexColorModel colours =
        new IndexColorModel(BITS, kept.length, kept, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage small =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colours);
    Map<Integer, Integer> nearest = new HashMap<>();
    for (int i = 0; i < pixels.length; i++) {
      int index = nearest.computeIfAbsent(pixels[i], colour -> nearest(kept, colour));
      small.getRaster().setSample(i % width, i / width, 0, index);
    }
    ImageIO.write(small, "png", file.toFile());
  }

  private static int[] mostUsed(int[] pixels) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int pixel : pixels) {
      counts.merge(pixel, 1, Integer::sum);
    }
    List<Map.Entry<Integer, Integer>> sorted =
        counts.entrySet().stream()
            .sorted(Comparator.comparingInt(each -> -each.getValue()))
            .limit(COLOURS)
            .toList();
    return sorted.stream().mapToInt(Map.Entry::getKey).toArray();
  }

  private static int nearest(int[] kept, int colour) {
    int best = 0;
    for (int i = 1; i < kept.length; i++) {
      if (distance(kept[i], colour) < distance(kept[best], colour)) {
        best = i;
      }
    }
    return best;
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift < 3 * BITS; shift += BITS) {
      int apart = ((one >> shift) & 0xff) - ((other >> shift) & 0xff);
      sum += apart * apart;
    }
    return sum;
  }
}
