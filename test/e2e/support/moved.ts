import type { Page } from '@playwright/test'

/** Maximum layout shift while a page loads, as the sum of Chromium's layout-shift scores. */
const MAX_LAYOUT_SHIFT = 0.01

/**
 * Describes the page's layout shift without user input and the elements that moved. Returns undefined if the shift is
 * within the limit.
 */
export const findLayoutShift = async (page: Page): Promise<string | undefined> => {
  const shifts = await page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const entries: PerformanceEntry[] = []
    const seen = new PerformanceObserver((list) => void entries.push(...list.getEntries()))
    seen.observe({ type: 'layout-shift', buffered: true })
    // Past shifts are reported in a separate task.
    for (let picture = 0; picture < 2; picture++) await new Promise(requestAnimationFrame)
    entries.push(...seen.takeRecords())
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
    const html = (node: Node | null) => (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 160)
    return (entries as Shift[])
      .filter((shift) => !shift.hadRecentInput)
      .map(({ value, startTime, sources }) => ({
        value,
        said: `${value.toFixed(4)} after ${Math.round(startTime)} ms: ${sources
          .map((one) => `${place(one.previousRect)} → ${place(one.currentRect)} ${html(one.node)}`)
          .join('; ')}`,
      }))
  })
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  return sum > MAX_LAYOUT_SHIFT ? `by ${sum.toFixed(3)} (${shifts.map(({ said }) => said).join(' | ')})` : undefined
}
