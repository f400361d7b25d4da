import { Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import css from './gallery.module.css'

/** Gallery stories by component name. */
export type GalleryStories = Readonly<Record<string, ReactNode>>

/** One state of a component in the gallery. */
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

/** Renders an input and holds its value in the story's state. */
export function StatefulInput<T>({ start, children }: HeldProps<T>) {
  const [value, set] = useState(start)
  return children(value, set)
}
