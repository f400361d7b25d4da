import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { findLinkColumn } from '../columns/pick-columns.ts'
import css from './columns-dialog.module.css'
import type { ListViewAndExportMenuProps } from './list-extras.tsx'
import { useSaveListSetting } from './use-keep-setting.ts'

interface Props extends ListViewAndExportMenuProps {
  readonly onClose: () => void
}

/** Dialog to choose and order the visible columns of a list. Alt and an arrow key move the focused column. */
export default function ColumnsDialog({ all, columns, usual, views, onClose }: Props) {
  const link = findLinkColumn(usual)?.key
  const titles = new Map(all.map((c) => [c.key, c.title]))
  const [shown, setShown] = useState<readonly string[]>(() => columns.map((c) => c.key))
  const [order, setOrder] = useState<readonly string[]>(() => [...new Set([...shown, ...titles.keys()])])
  const [, setSearch] = useSearchParams()
  const keep = useSaveListSetting(views)
  const list = useRef<HTMLUListElement>(null)

  const move = (key: string, by: 1 | -1) => {
    setOrder(moveItem(order, key, by))
    // The focus follows the moved column.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(key)}"]`)?.focus())
  }
  const onKey = (e: KeyboardEvent, key: string) => {
    if (!e.altKey || (e.key !== 'ArrowUp' && e.key !== 'ArrowDown')) return
    e.preventDefault()
    move(key, e.key === 'ArrowUp' ? -1 : 1)
  }
  /**
   * Applies the chosen columns. If a view is open, the columns are stored in the URL, and can be saved in the view from
   * there. Otherwise they are stored in the person's own settings.
   */
  const apply = async (names: string) => {
    onClose()
    setSearch(
      (s) => {
        const next = new URLSearchParams(s)
        if (views.current && names) next.set('columns', names)
        else next.delete('columns')
        return next
      },
      { replace: true, preventScrollReset: true },
    )
    if (!views.current) await keep({ columns: names }).catch(toast.failed)
  }
  return (
    <Dialog opened onClose={onClose} title="Columns" size="28rem">
      <p className={css.hint}>
        Select the columns to show. Use the arrow buttons, or Alt and an arrow key, to move a column.
      </p>
      <ul ref={list} className={css.columns}>
        {order.map((key, i) => (
          <li key={key} className={css.column}>
            <Checkbox
              data-column={key}
              label={titles.get(key)}
              checked={shown.includes(key)}
              disabled={key === link}
              {...(key === link ? { description: 'This column is always shown because it opens the record' } : {})}
              onChange={(e) =>
                setShown(e.currentTarget.checked ? [...shown, key] : shown.filter((name) => name !== key))
              }
              onKeyDown={(e) => onKey(e, key)}
            />
            <span className={css.arrows}>
              <ActionIcon
                variant="subtle"
                aria-label={`Move ${titles.get(key)} up`}
                disabled={i === 0}
                onClick={() => move(key, -1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={`Move ${titles.get(key)} down`}
                disabled={i === order.length - 1}
                onClick={() => move(key, 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={() => void apply('')}>
          Reset to default
        </Button>
        <Button onClick={() => void apply(order.filter((key) => shown.includes(key)).join(','))}>
          Show these columns
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * Returns a copy of the list with one item moved up or down by one position. The order is unchanged if the item is not
 * in the list, or would move beyond either end.
 */
export function moveItem<T>(all: readonly T[], one: T, by: 1 | -1): T[] {
  const from = all.indexOf(one)
  const to = from + by
  if (from < 0 || to < 0 || to >= all.length) return [...all]
  const next = all.toSpliced(from, 1)
  return next.toSpliced(to, 0, one)
}
