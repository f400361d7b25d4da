import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import css from '../training.module.css'
import { describeCell } from './cell-words.ts'
import { moveInGrid, visibleRows } from './grid-moves.ts'
import type { ChosenPair, TrainingMatrix } from './matrix.ts'
import { meaningOf } from './state-chip.web.tsx'

interface Props {
  readonly matrix: TrainingMatrix
  readonly onOpen: (pair: ChosenPair) => void
}

/** Rows whose height is assumed until one is measured. */
const ROW_PX = 40

/**
 * People × courses. Arrow keys, Home, End and Page keys move between cells, Enter opens one. Only the rows in view are in
 * the document.
 */
export function TrainingGrid({ matrix: { day, people, courses, cells }, onOpen }: Props) {
  const box = useRef<HTMLElement>(null)
  const [row, setRow] = useState(ROW_PX)
  const [view, setView] = useState({ top: 0, height: 800 })
  const [focus, setFocus] = useState({ row: 0, column: 0 })
  const moved = useRef(false)
  const cellOf = new Map(cells.map((cell) => [`${cell.employee} ${cell.course}`, cell]))
  const { first, last } = visibleRows({ ...view, row, rows: people.length })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const measured = element.querySelector<HTMLElement>('tbody tr[aria-rowindex]')?.offsetHeight
    if (measured) setRow(measured)
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    return () => element.removeEventListener('scroll', measure)
  }, [])

  useEffect(() => {
    if (!moved.current) return
    const cell = box.current?.querySelector<HTMLElement>(`[data-at="${focus.row} ${focus.column}"]`)
    if (!cell) return
    moved.current = false
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  const onKeyDown = (e: KeyboardEvent) => {
    const person = people[focus.row]
    const course = courses[focus.column]
    if ((e.key === 'Enter' || e.key === ' ') && person && course) {
      e.preventDefault()
      onOpen({ employee: person.id, course: course.id })
      return
    }
    const page = Math.max(1, Math.floor(view.height / row) - 2)
    const to = moveInGrid(focus, e.key, { rows: people.length, columns: courses.length, page })
    if (!to) return
    e.preventDefault()
    e.stopPropagation()
    moved.current = true
    // A row that is not in the document yet is scrolled into view first.
    if (box.current && (to.row < first || to.row >= last)) box.current.scrollTop = to.row * row
    setFocus(to)
  }

  return (
    <section ref={box} className={css.scroll} aria-label="Training matrix">
      <table
        className={css.grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells are reached with arrow keys
        role="grid"
        aria-label="People and courses"
        aria-rowcount={people.length + 1}
        aria-colcount={courses.length + 1}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Person</th>
            {courses.map(({ id, name }) => (
              <th key={id} scope="col" title={name}>
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Space columns={courses.length + 1} height={first * row} />}
          {people.slice(first, last).map((person, n) => (
            <tr key={person.id} aria-rowindex={first + n + 2}>
              <th scope="row" title={`${person.name}${person.jobTitle && `, ${person.jobTitle}`}`}>
                {person.name}
              </th>
              {courses.map((course, column) => {
                const cell = cellOf.get(`${person.id} ${course.id}`)
                const at = first + n
                const isFocus = focus.row === at && focus.column === column
                return (
                  <td
                    key={course.id}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: Enter opens the cell's records
                    role="gridcell"
                    data-at={`${at} ${column}`}
                    data-meaning={cell && cell.state !== 'notNeeded' ? meaningOf(cell, day) : undefined}
                    tabIndex={isFocus ? 0 : -1}
                    title={`${person.name}: ${course.name}`}
                    onFocus={() => setFocus({ row: at, column })}
                    onClick={() => onOpen({ employee: person.id, course: course.id })}
                    onKeyDown={undefined}
                  >
                    {cell && cell.state !== 'notNeeded' ? (
                      describeCell(cell, day)
                    ) : (
                      <VisuallyHidden>Not needed</VisuallyHidden>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
          {last < people.length && <Space columns={courses.length + 1} height={(people.length - last) * row} />}
        </tbody>
      </table>
    </section>
  )
}

const Space = ({ columns, height }: { readonly columns: number; readonly height: number }) => (
  <tr aria-hidden>
    <td className={css.space} colSpan={columns} style={{ height }} />
  </tr>
)
