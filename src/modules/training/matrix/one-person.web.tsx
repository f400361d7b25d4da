import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import layout from '#web/ui/page.module.css'
import css from '../training.module.css'
import type { ChosenPair, TrainingMatrix } from './matrix.ts'
import { CellChip } from './state-chip.web.tsx'

interface Props {
  readonly matrix: TrainingMatrix
  readonly onOpen: (pair: ChosenPair) => void
}

/** The matrix on a phone: one person at a time, with buttons to the next. */
export function OnePerson({ matrix: { day, people, courses, cells }, onOpen }: Props) {
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, people.length - 1)
  const person = people[at]
  if (!person) return null
  const own = new Map(cells.filter(({ employee }) => employee === person.id).map((cell) => [cell.course, cell]))
  const move = (to: number) => setChosen((to + people.length) % people.length)
  return (
    <section className={layout.card} aria-label={person.name}>
      {people.length > 1 && (
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Button variant="default" aria-label="Previous person" onClick={() => move(at - 1)}>
            <IconChevronLeft size={18} aria-hidden />
          </Button>
          <NativeSelect
            label="Person"
            className={css.person ?? ''}
            data={people.map(({ name }, n) => ({ value: String(n), label: name }))}
            value={String(at)}
            onChange={(e) => move(Number(e.currentTarget.value))}
          />
          <Button variant="default" aria-label="Next person" onClick={() => move(at + 1)}>
            <IconChevronRight size={18} aria-hidden />
          </Button>
        </Group>
      )}
      {own.size === 0 && <p>No training is needed or recorded.</p>}
      <Stack component="ul" gap={0} className={css.courses ?? ''}>
        {courses.map(({ id, name }) => {
          const cell = own.get(id)
          return (
            cell && (
              <li key={id}>
                <button type="button" onClick={() => onOpen(cell)}>
                  <span>{name}</span>
                  <CellChip cell={cell} day={day} />
                </button>
              </li>
            )
          )
        })}
      </Stack>
    </section>
  )
}
