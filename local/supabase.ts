import { findProgram } from './process.ts';

export const supabaseCommand = findProgram('supabase', 'dist/supabase.js');

/** The variables that keep it from reporting its use. */
export const quietSupabase = { DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' };
