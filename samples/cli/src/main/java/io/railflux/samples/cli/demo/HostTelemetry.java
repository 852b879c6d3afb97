package io.railflux.samples.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Readings of this host, taken ten times a second. */
final class HostTelemetry {

  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final int PROCESSES = 20;
  private static final int PROCESSES_EVERY = 10;

  private final HardwareAbstractionLayer hardware;
  private final OperatingSystem system;
  private long[][] ticks;
  private List<Reading> processes = List.of();
  private int looks;

  HostTelemetry() {
    SystemInfo info = new SystemInfo();
    this.hardware = info.getHardware();
    this.system = info.getOperatingSystem();
    this.ticks = hardware.getProcessor().getProcessorCpuLoadTicks();
    // The first reading takes long, so it is taken before the run begins.
    look();
  }

  /** Emits each reading when it is taken. Without demand no reading is taken. */
  Flux<Reading> live() {
    return Flux.interval(PERIOD, Schedulers.boundedElastic())
        .onBackpressureDrop()
        .concatMapIterable(tick -> look(), 1);
  }

  /** Emits as many readings as are requested, by repeating the latest reading. */
  Flux<Reading> flood() {
    Flux<List<Reading>> looks = Flux.interval(Duration.ZERO, PERIOD, Schedulers.boundedElastic())
        .onBackpressureDrop()
        .map(tick -> look());
    return looks.switchMap(
        look -> Flux.fromIterable(look).repeat().subscribeOn(Schedulers.boundedElastic()));
  }

  private List<Reading> look() {
    List<Reading> readings = new ArrayList<>();
    addProcessor(readings);
    addMemory(readings);
    hardware.getDiskStores().forEach(disk -> {
      int unit = disk.getName().hashCode();
      readings.add(new Reading(Event.Kind.DISK, unit, disk.getReadBytes() + disk.getWriteBytes()));
    });
    hardware.getNetworkIFs().forEach(network -> {
      int unit = network.getName().hashCode();
      double bytes = network.getBytesRecv() + network.getBytesSent();
      readings.add(new Reading(Event.Kind.NETWORK, unit, bytes));
    });
    readings.addAll(processes());
    return readings;
  }

  private void addProcessor(List<Reading> readings) {
    CentralProcessor processor = hardware.getProcessor();
    double[] loads = processor.getProcessorCpuLoadBetweenTicks(ticks);
    ticks = processor.getProcessorCpuLoadTicks();
    for (int core = 0; core < loads.length; core++) {
      readings.add(new Reading(Event.Kind.CPU, core, 100 * loads[core]));
    }
  }

  private void addMemory(List<Reading> readings) {
    GlobalMemory memory = hardware.getMemory();
    double used = 1.0 - (double) memory.getAvailable() / memory.getTotal();
    readings.add(new Reading(Event.Kind.MEMORY, 0, 100 * used));
  }

  /** Iterating over all processes is too expensive for every reading. */
  private List<Reading> processes() {
    if (looks++ % PROCESSES_EVERY == 0) {
      List<OSProcess> busiest =
          system.getProcesses(null, OperatingSystem.ProcessSorting.CPU_DESC, PROCESSES);
      processes = busiest.stream()
          .map(process -> new Reading(
              Event.Kind.PROCESSES, process.getProcessID(), process.getResidentMemory()))
          .toList();
    }
    return processes;
  }
}
