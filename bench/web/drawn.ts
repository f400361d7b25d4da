import type { Locator } from '@playwright/test'

/** Elements to watch for a change, in addition to the page URL. */
interface Watched {
  /** Selector whose first text is watched. The page is ready once that text is present and nothing is marked busy. */
  readonly text?: string
  /** Selector whose number of elements is watched. */
  readonly count?: string
}

/**
 * Clicks an element, presses `1` in it, or goes back in the browser. Resolves to the milliseconds until the watched
 * change is painted.
 */
export const measureTimeToRender = (
  target: Locator,
  press: 'click' | 'back' | 'key 1',
  watched: Watched,
): Promise<number> =>
  target.evaluate(
    (element, { press, text, count }) =>
      new Promise<number>((done, failed) => {
        const state = () =>
          JSON.stringify([
            location.pathname + location.hash.split('?', 1),
            text && (document.querySelector(text)?.textContent ?? ''),
            count && document.querySelectorAll(count).length,
          ])
        const ready = () => !text || (document.querySelector(text) && !document.querySelector('[aria-busy="true"]'))
        const before = state()
        const began = performance.now()
        const look = () => {
          if (performance.now() - began > 20_000) return failed(new Error('The page did not change within 20 seconds'))
          if (!ready() || state() === before) return requestAnimationFrame(look)
          // The frame with the change is painted after this callback.
          requestAnimationFrame(() => done(performance.now() - began))
        }
        if (press === 'back') history.back()
        else if (press === 'click') (element as HTMLElement).click()
        else element.dispatchEvent(new KeyboardEvent('keydown', { key: '1', code: 'Digit1', bubbles: true }))
        look()
      }),
    { press, ...watched },
  )
