import { Group, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './orders.module.css'

interface StepProps {
  readonly n: number
  readonly title: string
  readonly done?: ReactNode
  readonly begun?: ReactNode
  readonly children?: ReactNode
}

/** A step of the sale. Finished steps show their result; later steps show only their title. */
export const GuidedSaleStep = ({ n, title, done, begun, children }: StepProps) => (
  <li
    className={css.step}
    data-now={(!done && !!children) || undefined}
    aria-current={!done && children ? 'step' : undefined}
  >
    <Group gap="sm">
      <Title order={2} size="h4">
        {n}. {title}
      </Title>
      {done && (
        <Group gap={4}>
          <IconCheck size={18} aria-hidden />
          <span>Done: {done}</span>
        </Group>
      )}
      {!done && begun && <span>{begun}</span>}
      {!done && !begun && !children && <Text c="dimmed">Later</Text>}
    </Group>
    {children}
  </li>
)
