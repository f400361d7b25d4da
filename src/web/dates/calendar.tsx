import { Button, Group, Modal } from '@mantine/core'
import { DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/en-gb'
import type { ReactNode } from 'react'
import { useCoverDialogBelow } from '../ui/dialog.tsx'
import { useOpenAfterRender } from '../ui/overlays/use-opened.ts'
import css from './calendar.module.css'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onOk: () => void
  readonly ready: boolean
  readonly title: string
  readonly children: ReactNode
}

/** Date-picker dialog, 290 px wide, with Cancel and OK (specification, section 9). */
export function CalendarDialog({ opened, onClose, onOk, ready, title, children }: Props) {
  useCoverDialogBelow(opened)
  return (
    <Modal
      opened={useOpenAfterRender(opened, onClose)}
      onClose={onClose}
      title={title}
      size={290}
      transitionProps={{ duration: 150 }}
      classNames={{ body: css.body ?? '', header: css.header ?? '', title: css.title ?? '' }}
    >
      <DatesProvider settings={{ locale: 'en-gb', firstDayOfWeek: 1, weekendDays: [] }}>{children}</DatesProvider>
      <Group className={css.actions} justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!ready} onClick={onOk}>
          OK
        </Button>
      </Group>
    </Modal>
  )
}

const wordForDay = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })

/** Properties that all calendars share: accessible names, and weeks that start on Monday. */
export const calendarProps = {
  classNames: { day: css.day ?? '', calendarHeader: css.calendarHeader ?? '', month: css.month ?? '' },
  getDayAriaLabel: wordForDay,
  ariaLabels: {
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextDecade: 'Next decade',
    previousDecade: 'Previous decade',
  },
}
