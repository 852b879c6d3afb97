package io.railflux.samples.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The screen content of a terminal of some width, for the control sequences of the live view. Unlimited rows. */
final class Screen {

  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[(\\??\\d*)([A-Za-z])");

  private final int columns;
  private final List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
  private boolean wraps = true;
  private int row;
  private int column;
  private int redrawn;

  Screen(int columns) {
    this.columns = columns;
  }

  void show(String text) {
    Matcher sequence = SEQUENCE.matcher(text);
    for (int at = 0; at < text.length(); ) {
      if (text.charAt(at) == '\u001b' && sequence.find(at) && sequence.start() == at) {
        obey(sequence.group(1), sequence.group(2));
        at = sequence.end();
      } else {
        put(text.charAt(at++));
      }
    }
  }

  private void obey(String argument, String command) {
    switch (command + argument) {
      case "G999" -> column = columns - 1;
      case "K2" -> rows.get(row).setLength(0);
      case "l?7" -> wraps = false;
      case "h?7" -> wraps = true;
      default -> {
        if (!command.equals("A")) {
          throw new AssertionError("unknown sequence " + argument + command);
        }
        redrawn++;
        row = Math.max(0, row - Integer.parseInt(argument));
      }
    }
  }

  private void put(char character) {
    if (character == '\r') {
      column = 0;
    } else if (character == '\n') {
      down();
    } else {
      if (column == columns && wraps) {
        column = 0;
        down();
      }
      column = Math.min(column, columns - 1);
      StringBuilder line = rows.get(row);
      line.setLength(Math.max(line.length(), column + 1));
      line.setCharAt(column++, character);
    }
  }

  private void down() {
    row++;
    if (row == rows.size()) {
      rows.add(new StringBuilder());
    }
  }

  /** Returns how often the cursor moved up. */
  int redrawn() {
    return redrawn;
  }

  /** Returns the rows from the first one with a prefix. */
  List<String> rowsFrom(String begin) {
    List<String> all = rows.stream().map(StringBuilder::toString).toList();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).startsWith(begin)) {
        return all.subList(i, all.size());
      }
    }
    throw new AssertionError("no row has the prefix '" + begin + "': " + this);
  }

  @Override
  public String toString() {
    return String.join("\n", rows);
  }
}
