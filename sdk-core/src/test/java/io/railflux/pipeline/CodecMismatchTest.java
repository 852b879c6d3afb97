package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CodecMismatchTest {

  static final class Old {

    record Line(String sku, int quantity) {}

    record Order(long id, List<Old.Line> lines, String note) {}

    record Point(int x, int y) {}
  }

  static final class New {

    record Line(String sku, long quantity) {}

    record Order(long id, List<New.Line> lines, String note) {}

    record Point(int x, int y, String label) {}
  }

  record Order(long id, List<Old.Line> lines, Optional<String> note) {}

  record Shorter(long id, List<Old.Line> lines) {}

  record Flat(long id, String lines, String note) {}

  private static String explain(Class<? extends Record> sent, Class<? extends Record> received) {
    return CodecMismatch.explain(
        Codecs.record(sent).name(), Codecs.record(received).name());
  }

  @Test
  void namesTheFirstDifferentComponent() {
    assertEquals(
        ": component 'lines.quantity' of type int is sent where 'lines.quantity' of type long is expected",
        explain(Old.Order.class, New.Order.class));
    assertEquals(
        ": component 'note' of type String is sent where 'note' of type ?String is expected",
        explain(Old.Order.class, Order.class));
    assertEquals(
        ": component 'lines' of type String is sent where 'lines' of type [(…) is expected",
        explain(Flat.class, Old.Order.class));
  }

  @Test
  void namesAnAdditionalOrMissingComponent() {
    assertEquals(
        ": component 'note' of type String is not expected",
        explain(Old.Order.class, Shorter.class));
    assertEquals(
        ": component 'note' of type String is not sent", explain(Shorter.class, Old.Order.class));
  }

  @Test
  void namesWithoutLayoutAddNoExplanation() {
    assertEquals("", explain(Old.Order.class, Old.Order.class));
    assertEquals("", CodecMismatch.explain("utf8", "record:Point(II)"));
  }

  record Sent(long id, String text) {}

  record Place(byte kind, Old.Point at) {}

  @Test
  void comparesRecordsOfPrimitivesByPosition() {
    assertEquals(
        ": component 'text' of type String is sent where number 2 of type int is expected",
        CodecMismatch.explain(Codecs.record(Sent.class).name(), "record:B(JI)"));
    assertEquals(
        ": component number 2 of type int is sent where 'text' of type String is expected",
        CodecMismatch.explain("record:B(JI)", Codecs.record(Sent.class).name()));
    assertEquals(
        ": component number 2 of type int is sent where number 2 of type long is expected",
        CodecMismatch.explain("record:Point(II)", "record:Point(IJ)"));
    assertEquals(
        ": component 'label' of type String is not sent",
        explain(Old.Point.class, New.Point.class));
    assertEquals(
        ": component number 4 of type int is not expected",
        CodecMismatch.explain(Codecs.record(Place.class).name(), "record:Place(B(I))"));
  }

  @Test
  void distinguishesRecordsWithEnumsByOrdinal() {
    assertTrue(CodecMismatch.explain(
            "record:Order((JDI)E3Z)", Codecs.record(Order.class).name())
        .contains("enums by ordinal"));
  }

  @Test
  void acceptsAnyNameOfAPeer() {
    for (String name :
        List.of("record:", "record:(", "record:)))", "record:X(=,=)(", "record:X(a=(b=(#")) {
      CodecMismatch.explain(name, Codecs.record(Order.class).name());
      CodecMismatch.explain(Codecs.record(Order.class).name(), name);
    }
  }
}
