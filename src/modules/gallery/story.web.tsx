import { Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import css from './gallery.module.css'

/** Stories of the gallery by component name. */
export type GalleryStories = Readonly<Record<string, ReactNode>>

/** One state of a piece. */
export const Story = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={css.story} aria-label={title}>
    <Title order={2} className={css.title}>
      {title}
    </Title>
    {children}
  </section>
)

interface HeldProps<T> {
  readonly start: T
  readonly children: (value: T, set: (value: T) => void) => ReactNode
}

/** Stores the value of an input in a story. */
export function StatefulInput<T>({ start, children }: HeldProps<T>) {
  const [value, set] = useState(start)
  return children(value, set)
}
