import { startTransition, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { listPositionAt } from './pager/list-position.ts'

interface Settings {
  /** What the list is asked: with another question it begins anew. */
  readonly question: string
  /** The records are still those of the question before. */
  readonly old: boolean
  readonly count: number
  /** Pixels that a card has at least. */
  readonly height: number
}

/**
 * As many cards as are drawn now: at first those that a window shows, with all that lie above the place that one comes back to, and a
 * moment later the others.
 */
export function useCardsAtOnce({ question, old, count, height }: Settings): number {
  const { pathname, search, key } = useLocation()
  const back = useNavigationType() === 'POP' && key !== 'default'
  const begin = () => {
    const place = listPositionAt(pathname, search)
    // The browser goes back to where it was, wherever that is.
    const shown = back && !place ? Number.POSITIVE_INFINITY : (place?.scroll ?? 0) + window.innerHeight
    return { question, cards: Math.ceil(shown / height) }
  }
  const [held, hold] = useState(begin)
  const now = old || held.question === question ? held : begin()
  if (now !== held) hold(now)
  const all = now.cards >= count
  useEffect(() => {
    if (!all) startTransition(() => hold({ question: now.question, cards: Number.POSITIVE_INFINITY }))
  }, [all, now.question])
  return Math.min(count, now.cards)
}
