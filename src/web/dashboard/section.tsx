import '@mantine/core/styles/Card.layer.css'
import { Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { SectionError } from '../ui/states.tsx'
import css from './part.module.css'

interface Props {
  readonly title: string
  /** ID of the section, for links to it on the same page. */
  readonly anchor?: string | undefined
  /** Button or link beside the title. */
  readonly action?: ReactNode
  readonly loading: boolean
  readonly error: Error | null
  readonly onRetry: () => void
  /** Text shown if there is no content. */
  readonly empty?: string | false
  readonly children: ReactNode
}

/** Dashboard section that loads its data, and shows its errors, independently of other sections. */
export function DashboardSection({ title, anchor, action, loading, error, onRetry, empty, children }: Props) {
  const id = useId()
  return (
    <Card withBorder component="section" id={anchor} aria-labelledby={id} padding="lg">
      <Group justify="space-between" mb="md" className={css.head ?? ''}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {action}
      </Group>
      {error ? (
        <SectionError error={error} onRetry={onRetry} />
      ) : loading ? (
        <Skeleton h={96} />
      ) : empty ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        children
      )}
    </Card>
  )
}
