import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import css from './full-text.module.css'

/** Time in milliseconds that the pointer or the focus has to stay on the text before the full text is shown. */
const REST_MS = 350

interface ShownText {
  readonly lines: readonly string[]
  readonly place: CSSProperties
}

/** Returns true if the text is visible. Text for screen readers only is one pixel wide. */
const isSeen = ({ parentElement }: Text) => (parentElement?.getBoundingClientRect().width ?? 0) > 1

/** Returns the visible text nodes of a cell, without text for screen readers. */
function wordsIn(cell: HTMLElement): readonly Text[] {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const words: Text[] = []
  for (let text = walker.nextNode(); text; text = walker.nextNode()) if (isSeen(text as Text)) words.push(text as Text)
  return words
}

const textOf = (cell: HTMLElement) =>
  wordsIn(cell)
    .map((text) => text.data)
    .join('')

/** Returns true if the text is wider than the cell. */
function isCut(cell: HTMLElement): boolean {
  const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
  return wordsIn(cell).some((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return range.getBoundingClientRect().right > end + 0.5
  })
}

/** Returns the text of a cell, preceded by its column heading. */
function lineOf(cell: HTMLTableCellElement): string {
  const head = cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
  return `${head ? textOf(head) : ''}: ${textOf(cell)}`
}

/** Returns the full text of the row's truncated cells, and the position at which to show it. */
function shownOf(cells: readonly HTMLTableCellElement[], alone: boolean): ShownText | undefined {
  const cut = cells.filter(isCut)
  const [first] = cut
  if (!first) return undefined
  const { left, right, top, bottom } = first.getBoundingClientRect()
  return {
    lines: alone ? cut.map(textOf) : cut.map(lineOf),
    place: {
      // The tooltip opens on the side with more room.
      ...(left < window.innerWidth / 2 ? { left } : { right: document.documentElement.clientWidth - right }),
      ...(bottom < window.innerHeight * 0.8 ? { top: bottom } : { bottom: window.innerHeight - top }),
    },
  }
}

/**
 * Shows truncated text in full: the text of the cell under the pointer, or of the entire row that has the keyboard
 * focus. Escape closes the tooltip.
 */
export function FullTextTooltip({ of }: { readonly of: RefObject<HTMLElement | null> }) {
  const [shown, show] = useState<ShownText>()
  useEffect(() => {
    const frame = of.current
    if (!frame) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (what: () => ShownText | undefined) => {
      clearTimeout(timer)
      timer = setTimeout(() => show(what()), REST_MS)
    }
    const away = () => {
      clearTimeout(timer)
      show(undefined)
    }
    const over = ({ target, pointerType }: PointerEvent) => {
      if (!(target instanceof HTMLElement) || pointerType !== 'mouse') return
      if (target.closest(`.${css.full}`)) return clearTimeout(timer)
      const cell = target.closest<HTMLTableCellElement>('[data-row] > *')
      later(() => (cell ? shownOf([cell], true) : undefined))
    }
    const focused = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || !target.matches('[data-row-link]:focus-visible')) return away()
      const row = target.closest('tr')
      if (row) later(() => shownOf([...row.cells], false))
    }
    const frameEvents = { pointerover: over, pointerleave: away, focusin: focused, focusout: away, pointerdown: away }
    for (const [name, heard] of Object.entries(frameEvents)) frame.addEventListener(name, heard as EventListener)
    addEventListener('scroll', away, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const [name, heard] of Object.entries(frameEvents)) frame.removeEventListener(name, heard as EventListener)
      removeEventListener('scroll', away, { capture: true })
    }
  }, [of])
  useEffect(() => {
    if (!shown) return
    const close = (e: KeyboardEvent) => {
      if (e.key !== 'Escape') return
      e.stopPropagation()
      show(undefined)
    }
    addEventListener('keydown', close, { capture: true })
    return () => removeEventListener('keydown', close, { capture: true })
  }, [shown])
  if (!shown) return null
  return (
    <div role="tooltip" className={css.full} style={shown.place}>
      {shown.lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}
