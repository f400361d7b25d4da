import { ActionIcon, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { moveItem } from '#web/lists/extras/columns-dialog.tsx'
import css from './method.module.css'
import type { LibrarySnapshot } from './method-statement.ts'

interface Props {
  readonly tasks: readonly LibrarySnapshot[]
  readonly onChange: (tasks: readonly LibrarySnapshot[]) => void
}

/** The chosen tasks in the order of work. A task is moved by dragging, with its buttons, or with Alt and an arrow key. */
export function TaskOrder({ tasks, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<LibrarySnapshot>()
  const [said, setSaid] = useState('')
  const arrange = (next: readonly LibrarySnapshot[], moved: LibrarySnapshot) => {
    onChange(next)
    setSaid(`${moved.title} is now step ${next.indexOf(moved) + 1} of ${next.length}`)
  }
  const move = (task: LibrarySnapshot, by: 1 | -1) => {
    arrange(moveItem(tasks, task, by), task)
    // The focus follows the moved task. At either end, the button that is still enabled gets it.
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-task="${CSS.escape(task['@id'])}"]`)
      const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button') ?? [])]
      ;(buttons.find((b) => b.dataset.move === String(by) && !b.disabled) ?? buttons.find((b) => !b.disabled))?.focus()
    })
  }
  const onKeyDown = (e: KeyboardEvent, task: LibrarySnapshot) => {
    if (!e.altKey || (e.key !== 'ArrowUp' && e.key !== 'ArrowDown')) return
    e.preventDefault()
    move(task, e.key === 'ArrowUp' ? -1 : 1)
  }
  const dropOn = (at: number) => {
    if (dragged) arrange(tasks.filter((one) => one !== dragged).toSpliced(at, 0, dragged), dragged)
    setDragged(undefined)
  }
  return (
    <div className={css.order}>
      <h3>Order of work</h3>
      <Text size="sm" c="dimmed">
        Drag a task, or use its arrow buttons or Alt and an arrow key. The document prints the tasks in this order.
      </Text>
      <ol ref={list} aria-label="Order of work">
        {tasks.map((task, i) => (
          <li
            key={task['@id']}
            data-task={task['@id']}
            data-dragged={task === dragged || undefined}
            draggable
            onDragStart={() => setDragged(task)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(e) => e.preventDefault()}
            onDrop={() => dropOn(i)}
            onKeyDown={(e) => onKeyDown(e, task)}
          >
            <IconGripVertical size={16} aria-hidden />
            <span>{`${i + 1}. ${task.title}`}</span>
            {([-1, 1] as const).map((by) => (
              <ActionIcon
                key={by}
                size={44}
                variant="subtle"
                color="gray"
                data-move={by}
                aria-label={`Move ${task.title} ${by < 0 ? 'up' : 'down'}`}
                disabled={by < 0 ? i === 0 : i === tasks.length - 1}
                onClick={() => move(task, by)}
              >
                {by < 0 ? <IconArrowUp size={18} aria-hidden /> : <IconArrowDown size={18} aria-hidden />}
              </ActionIcon>
            ))}
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  )
}
