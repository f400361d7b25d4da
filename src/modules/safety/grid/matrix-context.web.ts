import { createContext, useContext } from 'react'
import { type RiskMatrix, USUAL } from '../risk-matrix/bands.ts'

/** The words and bands that hazards are judged by here. */
export const MatrixContext = createContext<RiskMatrix>(USUAL)

export const useMatrix = (): RiskMatrix => useContext(MatrixContext)
