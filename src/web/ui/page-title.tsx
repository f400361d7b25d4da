import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The one heading of a page; the shell puts the focus on it after a change of page. */
export const PageTitle = ({ children, ...rest }: { children: ReactNode; id?: string }) => (
  <Title order={1} tabIndex={-1} data-page-title {...rest}>
    {children}
  </Title>
)
