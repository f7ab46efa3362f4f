import { findProgram } from './process.ts';

export const supabaseCommand = findProgram('supabase', 'dist/supabase.js');

/** The variables that keep it from reporting its use, and from asking GitHub for a newer version at every command. */
export const quietSupabase = {
  DO_NOT_TRACK: '1',
  SUPABASE_NO_UPDATE_NOTIFIER: '1',
  SUPABASE_TELEMETRY_DISABLED: '1',
};
