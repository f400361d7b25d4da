import type { Locator } from '@playwright/test'

/** The page's address, and what else tells that something has happened. */
interface Watched {
  /** The text of the first that a selector finds; the page is ready when there is one, and nothing is busy. */
  readonly text?: string
  /** How many a selector finds. */
  readonly count?: string
}

/**
 * Clicks an element, presses `1` in it, or goes back as the browser does, and resolves to the milliseconds until a picture is drawn in which
 * what is watched has changed.
 */
export const untilDrawn = (target: Locator, press: 'click' | 'back' | 'key 1', watched: Watched): Promise<number> =>
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
          if (performance.now() - began > 20_000) return failed(new Error('Nothing changed'))
          if (!ready() || state() === before) return requestAnimationFrame(look)
          // The picture with the change in it is drawn after this frame's work.
          requestAnimationFrame(() => done(performance.now() - began))
        }
        if (press === 'back') history.back()
        else if (press === 'click') (element as HTMLElement).click()
        else element.dispatchEvent(new KeyboardEvent('keydown', { key: '1', code: 'Digit1', bubbles: true }))
        look()
      }),
    { press, ...watched },
  )
