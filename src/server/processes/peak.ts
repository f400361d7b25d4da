import { readFileSync } from 'node:fs'

/** The most bytes that this process has held at once, where the system tells (Linux); elsewhere, what it holds now. */
export function peakMemory(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : process.memoryUsage.rss()
  } catch {
    return process.memoryUsage.rss()
  }
}
