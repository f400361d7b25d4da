import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './in-order.module.css'

/**
 * Sections that appear from the top down, even if their responses arrive in another order. While a section is still
 * loading, the sections below it are laid out and request their data, but stay hidden.
 */
export const DashboardSections = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="lg" className={css.parts ?? ''}>
    {children}
  </Stack>
)

/** Placeholder for a section that may turn out to be empty. */
export const DashboardSectionSkeleton = () => <Skeleton h={96} role="status" aria-label="Loading" />
